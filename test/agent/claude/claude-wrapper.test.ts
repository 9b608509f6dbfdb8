// A wrapper of another CLI as Claude Code's command, in the shape of those that ralphex ships: what it is given, and what
// of its text counts.
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { nonce, plainClaude, startSession } from '../session/session-setup.ts';

const command = path.join(import.meta.dirname, '..', '..', 'fixtures', 'agents', 'other-as-claude.sh');

/** The turn of a wrapped CLI that is this shell command. */
async function wrapped(cli: string, bare: readonly string[] = []) {
  const agent = plainClaude({ command, input: 'auto' });
  const env = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', OTHER_CLI: cli };
  await using test = await startSession({ agent, env, bare, clocks: { firstEventMs: 300, silenceMs: 300 } });
  const turn = await test.session.firstTurn();
  await test.session.close();
  return turn;
}

describe('its text', () => {
  const failed = `echo '<<<PAWL:TASK_FAILED ${nonce}>>> no'`;
  const done = `echo '<<<PAWL:TASK_DONE ${nonce}>>> wrote a'`;
  const limit = "You've hit your usage limit";
  test.each<[string, string, string, string]>([
    ['done', `echo Wrote it.; ${done}`, 'done', 'wrote a'],
    ['gave up, and its CLI tells more on stderr', `${failed}; echo 'Credentials' >&2`, 'failed', 'no'],
    ['gave up in a step before the last', `${failed}; echo 'Tokens used: 12'`, 'failed', 'no'],
    ['echoes the prompt', 'echo "$1"; echo Wrote it.', 'silent', 'it finished without a marker'],
    ['meets a limit', `echo "${limit}" >&2; exit 1`, 'limited', limit],
    ['works long without a line', `sleep 1; ${done}`, 'done', 'wrote a'],
  ])('%s', async (_, cli, kind, reason) =>
    expect((await wrapped(cli)).outcome).toMatchObject({ kind, reason }),
  );

  test('a marker without a nonce counts where the prompt shows it so', async () => {
    const turn = await wrapped("echo '<<<RALPHEX:TASK_FAILED>>>'; echo more", ['TASK_FAILED']);
    expect(turn.outcome.kind).toBe('failed');
  });

  test('it is given the prompt, not an option', async () => {
    const turn = await wrapped(`printf '%s\\n' "$1" | sed 's/^/| /'`);
    expect(turn.text).toContain('| pawl: Do it. End with');
  });
});
