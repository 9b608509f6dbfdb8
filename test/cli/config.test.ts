import path from 'node:path';
import { expect, test } from 'vitest';
import { showConfig } from '../../src/cli/config.ts';
import { eachWorld } from './world.ts';

const world = eachWorld({ git: true });

const show = (
  options: Parameters<typeof showConfig>[2],
  args: string[] = [],
  env: Record<string, string> = {},
) => world.run(showConfig, options, args, { env });

test('what is the default is not worth a line', async () => {
  expect((await show({})).stdout).toBe('All settings are the defaults; --origin lists them.\n');
});

test('what is set is shown, with --origin everything and its place', async () => {
  const env = { PAWL_STRICT: 'true', PAWL_BRANCH: 'b' };
  expect((await show({}, [], env)).stdout).toBe('branch: b\nstrict: true\n');
  const { stdout } = await show({ origin: true }, ['show'], env);
  expect(stdout).toMatch(/^strict: true +PAWL_STRICT$/m);
  expect(stdout).toMatch(/^clocks\.silence: 10m +default$/m);
});

test('the project’s own is read once it is trusted', async () => {
  world.write('.pawl/config.yaml', '\nbranch: b\n');
  const before = await show({});
  expect([before.stdout, before.stderr]).toEqual([
    'All settings are the defaults; --origin lists them.\n',
    '.pawl/config.yaml is not read: this repository is not trusted; see `pawl trust`\n',
  ]);
  world.trust();
  const { stdout } = await show({ json: true });
  expect(JSON.parse(stdout).settings.branch).toEqual({
    value: 'b',
    layer: 'project',
    file: path.join(world.cwd, '.pawl/config.yaml'),
    line: 2,
    column: 9,
  });
});

test('schema and paths', async () => {
  expect(JSON.parse((await show({}, ['schema'])).stdout).$id).toBe('urn:pawl:config:9.9.9');
  expect((await show({}, ['path'])).stdout).toBe(
    `project  ${world.cwd}/.pawl/config.yaml\nuser     ${world.top}/home/.config/pawl/config.yaml\n`,
  );
});

test('addresses of messages are shown without what is secret in them', async () => {
  const env = { PAWL_NOTIFY: 'ntfys://tk_verysecret@h/t,command: tell verysecret' };
  expect((await show({}, [], env)).stdout).toBe('notify.urls: ["ntfys://…","command:…"]\n');
  expect((await show({ json: true }, [], env)).stdout).not.toContain('verysecret');
});
