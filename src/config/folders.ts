// The user's own folders by the XDG rules; creates none.
import path from 'node:path';

export type Folders = Readonly<ReturnType<typeof findFolders>>;

/** A variable that is not an absolute path counts as unset, as the rules say. */
export function findFolders(env: Readonly<Record<string, string | undefined>>, home: string) {
  const base = (name: string, fallback: string) => {
    const value = env[name];
    return path.join(value && path.isAbsolute(value) ? value : path.join(home, fallback), 'pawl');
  };
  const runtime = env['XDG_RUNTIME_DIR'];
  return {
    home,
    config: base('XDG_CONFIG_HOME', '.config'),
    /** What pawl remembers, such as consent. */
    state: base('XDG_STATE_HOME', path.join('.local', 'state')),
    /** What can be recreated. */
    cache: base('XDG_CACHE_HOME', '.cache'),
    /** Sockets; undefined if the system has none. */
    runtime: runtime && path.isAbsolute(runtime) ? path.join(runtime, 'pawl') : undefined,
  };
}
