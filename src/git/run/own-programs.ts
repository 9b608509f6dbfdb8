// Which settings of a repository's git config run programs, and the values that disable them until a person trusts the
// repository. Settings of the user and the system are left alone.

/** Runs git in the repository, without any of these programs; returns stdout, or an empty text if git refuses. */
type Ask = (args: readonly string[]) => Promise<string>;

/** Settings that make git run a program where pawl only reads or checks out, and the value each gets instead (git 2.39). */
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
 * The program that sends objects, which runs here if the remote is a folder. git takes the first value it finds, so a later
 * setting cannot disable it. In an untrusted repository that sets one, nothing is fetched (and nothing is pushed anywhere).
 */
const sending = /^remote\..*\.uploadpack$/s;

/**
 * Passed explicitly to commands that talk to a remote, since a session may have configured others: one for those that fetch
 * or list, one for those that push.
 */
export const usualPrograms = {
  fetch: '--upload-pack=git-upload-pack',
  push: '--receive-pack=git-receive-pack',
} as const;

const names = '^(filter|core|credential|remote|protocol)\\.';

/**
 * Environment variables with which git runs no program that the repository's config names; `env`: what git gets otherwise.
 */
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
  // Not the name of a protocol, so all are refused, whatever the repository's settings allow.
  return { ...addSettings(env, found), ...(fetches ? {} : { GIT_ALLOW_PROTOCOL: 'none' }) };
}

/** Added after those already in the environment; the last one wins. */
function addSettings(
  env: Readonly<Record<string, string | undefined>>,
  settings: ReadonlyMap<string, string>,
): Readonly<Record<string, string>> {
  const before = Number(env['GIT_CONFIG_COUNT'] ?? 0) || 0;
  const entries = [...settings].flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${before + index}`, key],
    [`GIT_CONFIG_VALUE_${before + index}`, value],
  ]);
  return { ...Object.fromEntries(entries), GIT_CONFIG_COUNT: String(before + settings.size) };
}
