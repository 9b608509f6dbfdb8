// Which settings of a repository's git config run programs, and the values that disable them until a person trusts the
// repository. Settings of the user and the system are left alone.

/** Asks git in the repository, without any of these programs: stdout, or an empty text where git refuses. */
type Ask = (args: readonly string[]) => Promise<string>;

/** Settings that make git run a program where pawl only looks or checks out, and what each is set to instead (git 2.39). */
const neutral: readonly (readonly [RegExp, string])[] = [
  [/^filter\..*\.(?:clean|smudge|process)$/s, ''],
  [/^filter\..*\.required$/s, 'false'],
  // A partial clone fetches what it lacks in the middle of a look.
  [/^core\.sshcommand$/, 'ssh'],
  [/^core\.gitproxy$/, 'none'],
  [/^core\.askpass$/, ''],
  [/^credential\.(?:.*\.)?helper$/s, ''],
  [/^protocol\.(?:.*\.)?allow$/s, 'user'],
];

/** A remote's program that sends objects, which runs here where the remote is a folder: git takes the first value it finds, so that a later setting disables nothing. Where nobody has trusted a repository that names one, nothing is fetched (and nothing pushed anywhere). */
const sending = /^remote\..*\.uploadpack$/s;

/** Said outright by whoever speaks to a remote: a session may have named others. For commands that fetch or list, and for those that push. */
export const usualPrograms = {
  fetch: '--upload-pack=git-upload-pack',
  push: '--receive-pack=git-receive-pack',
} as const;

const names = '^(filter|core|credential|remote|protocol)\\.';

/** Variables with which git runs no program that the repository's config names; `env` is what git gets otherwise. */
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
  // The name of no protocol: all are refused, whatever the repository's own settings allow.
  return { ...addSettings(env, found), ...(fetches ? {} : { GIT_ALLOW_PROTOCOL: 'none' }) };
}

/** Beside those that the environment has; the last one holds. */
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
