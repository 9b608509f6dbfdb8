// `pawl notify test`.
import { expect, test } from 'vitest';
import { notifyCommand } from '../../src/cli/notify.ts';
import { startReceiver } from '../helpers/receiver.ts';
import { eachWorld } from './world.ts';

const world = eachWorld();

const send = (urls: string) =>
  world.run(notifyCommand, {}, ['test'], {
    env: { ...world.context().env, PAWL_NOTIFY: urls },
  });

test('sends one to each address, and says what came of it', async () => {
  await using receiver = await startReceiver(({ path }) =>
    path === '/no' ? { status: 403, body: 'no' } : {},
  );
  const file = `${world.top}/event.json`;
  const urls = `json://${receiver.host}/yes,json://${receiver.host}/no,command: cat > ${file},command: exit 3`;
  const { exit, stdout } = await send(urls);
  expect(exit).toBe(8);
  expect(stdout.split('\n')).toEqual([
    expect.stringMatching(/^sent {4}json:\/\/127\.0\.0\.1:\d+\/… \(/),
    expect.stringMatching(/^failed {2}json:\/\/127\.0\.0\.1:\d+\/…: 403 Forbidden no$/),
    expect.stringMatching(/^sent {4}command \(/),
    'failed  command: exit 3',
    '',
  ]);
  expect(receiver.received.map(({ path }) => path).sort()).toEqual(['/no', '/yes']);
});

test('a command of the user’s does not see the addresses', async () => {
  const { stdout } = await send('command: test -z "$PAWL_NOTIFY"');
  expect(stdout).toMatch(/^sent/);
});

test('without an address it says where one is set', async () => {
  await expect(send('')).rejects.toThrow('there is no address to send a message to');
});
