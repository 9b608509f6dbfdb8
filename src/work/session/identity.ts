// A session's own git committer, never that of pawl's commits: reflogs tell who moved what. The author stays the user.
type Env = Readonly<Record<string, string>>;

/** A session's variables: its committer, and reflogs for every ref. */
export function identityOf(env: Env, run: string, session: number): Env {
  const count = Number(env['GIT_CONFIG_COUNT'] ?? 0) || 0;
  return {
    GIT_COMMITTER_NAME: `pawl session ${session} of ${run.replaceAll(/[<>\n]/g, '-')}`,
    GIT_COMMITTER_EMAIL: addressOf(run, session),
    GIT_CONFIG_COUNT: String(count + 1),
    [`GIT_CONFIG_KEY_${count}`]: 'core.logAllRefUpdates',
    [`GIT_CONFIG_VALUE_${count}`]: 'always',
  };
}

export function sessionOf(email: string, run: string): number | undefined {
  const number = Number(/^session-(\d+)@/.exec(email)?.[1]);
  return Number.isInteger(number) && email === addressOf(run, number) ? number : undefined;
}

function addressOf(run: string, session: number): string {
  return `session-${session}@${run.replaceAll(/[^A-Za-z0-9.-]/g, '-')}.pawl.invalid`;
}
