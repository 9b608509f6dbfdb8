// Which settings of an untrusted repository run programs, and what disables them. User's and system's are left alone.

/** Without any of these programs; an empty text if git refuses. */
type Ask = (args: readonly string[]) => Promise<string>;

/** They run a program where pawl only reads or checks out (git 2.39); with each one's replacement. */
const neutral: readonly (readonly [RegExp, string])[] = [
  [/^filter\..*\.(?:clean|smudge|process)$/s, ''],
  [/^filter\..*\.required$/s, 'false'],
  // A partial clone fetches missing objects in the middle of a read.
  [/^core\.sshcommand$/, 'ssh'],
  [/^core\.gitproxy$/, 'none'],
  [/^core\.askpass$/, ''],
  [/^credential\.(?:.*\.)?helper$/s, ''],
  [/^protocol\.(?:.*\.)?allow$/s, 'user'],
];

/**
 * Sends objects, and runs here if the remote is a folder. git takes the first value, so a later one cannot disable it:
 * where one is set, nothing is fetched or pushed.
 */
const sending = /^remote\..*\.uploadpack$/s;

/** Explicit, since a session may have configured others: for fetching or listing, and for pushing. */
export const usualPrograms = {
  fetch: '--upload-pack=git-upload-pack',
  push: '--receive-pack=git-receive-pack',
} as const;

const names = '^(filter|core|credential|remote|protocol)\\.';

/** For a git without programs that the repository's config names; `env`: what git gets otherwise. */
export async function withoutOwnPrograms(
  ask: Ask,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Readonly<Record<string, string>>> {
  const listed = await ask(['config', '-z', '--show-scope', '--name-only', '--get-regexp', names]);
  const fields = listed.split('\0');
  const found = new Map<string, string>([['protocol.ext.allow', 'never']]);
  let fetches = true;
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [scope, key = ''] = fields.slice(at, at + 2);
    if (scope !== 'local' && scope !== 'worktree') continue;
    if (sending.test(key)) fetches = false;
    const instead = neutral.find(([pattern]) => pattern.test(key))?.[1];
    if (instead !== undefined && !found.has(key)) found.set(key, instead);
  }
  // Added last: the last one wins.
  const before = Number(env['GIT_CONFIG_COUNT'] ?? 0) || 0;
  const settings = [...found].flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${before + index}`, key],
    [`GIT_CONFIG_VALUE_${before + index}`, value],
  ]);
  return {
    ...Object.fromEntries(settings),
    GIT_CONFIG_COUNT: String(before + found.size),
    // No protocol's name, so all are refused, whatever the repository allows.
    ...(fetches ? {} : { GIT_ALLOW_PROTOCOL: 'none' }),
  };
}
