// The user's own folders by the XDG rules; creates none.
import path from 'node:path';

export type Folders = Readonly<{
  home: string;
  /** `$XDG_CONFIG_HOME/pawl` */
  config: string;
  /** What pawl remembers, such as consent: `$XDG_STATE_HOME/pawl`. */
  state: string;
  /** What can be recreated: `$XDG_CACHE_HOME/pawl`. */
  cache: string;
  /** Sockets: `$XDG_RUNTIME_DIR/pawl`; undefined if the system has none. */
  runtime: string | undefined;
}>;

/** A variable that is not an absolute path counts as unset, as the rules say. */
export function findFolders(env: Readonly<Record<string, string | undefined>>, home: string): Folders {
  const base = (name: string, fallback: string) => {
    const value = env[name];
    return path.join(value && path.isAbsolute(value) ? value : path.join(home, fallback), 'pawl');
  };
  const runtime = env['XDG_RUNTIME_DIR'];
  return {
    home,
    config: base('XDG_CONFIG_HOME', '.config'),
    state: base('XDG_STATE_HOME', path.join('.local', 'state')),
    cache: base('XDG_CACHE_HOME', '.cache'),
    runtime: runtime && path.isAbsolute(runtime) ? path.join(runtime, 'pawl') : undefined,
  };
}
