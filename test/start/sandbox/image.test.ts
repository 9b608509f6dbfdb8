// Which image a sandbox has, and that what pawl builds from lies where consent covers it.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { configSchema } from '../../../src/config/schema.ts';
import { createSweep } from '../../../src/process/host-sweep.ts';
import { createSpawn } from '../../../src/process/spawn.ts';
import { imageOf, readyImage } from '../../../src/start/sandbox/image.ts';
import { makeWorld, type World } from '../../cli/world.ts';

let world: World;
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => world[Symbol.dispose]());

function imageUnder(sandbox: object, env: Record<string, string> = {}): string {
  const context = { ...world.context(), packageRoot: path.resolve(import.meta.dirname, '../../..') };
  const config = configSchema.parse({ sandbox });
  return imageOf({ ...context, env: { ...context.env, ...env } }, config, world.cwd);
}

test('what the user names is it', () => expect(imageUnder({ image: 'mine:1' })).toBe('mine:1'));

test('otherwise it follows from Dockerfile, setup and certificates', () => {
  world.write('.pawl/Dockerfile', 'FROM a\n');
  world.write('ca.pem', 'PEM');
  const names = [
    imageUnder({}),
    imageUnder({ setup: 'true' }),
    imageUnder({ dockerfile: '.pawl/Dockerfile' }),
    imageUnder({}, { NODE_EXTRA_CA_CERTS: path.join(world.cwd, 'ca.pem') }),
  ];
  expect(new Set(names).size).toBe(4);
  for (const name of names) expect(name).toMatch(/^pawl-sandbox:[0-9a-f]{16}$/);
  expect(imageUnder({})).toBe(names[0]);
});

describe('a Dockerfile', () => {
  test('outside the repository is named by its absolute path', () => {
    const file = path.join(world.top, 'Dockerfile');
    writeFileSync(file, 'FROM a\n');
    expect(imageUnder({ dockerfile: file })).toMatch(/^pawl-sandbox:/);
  });

  test.each<[string, string]>([
    ['elsewhere in the repository', 'Dockerfile'],
    ['behind .pawl', '.pawl/../Dockerfile'],
    ['above the repository', '../Dockerfile'],
    ['that leads elsewhere', '.pawl/link'],
    ['in a folder that leads elsewhere', '.pawl/folder/Dockerfile'],
  ])('%s is refused', (_, name) => {
    for (const file of [path.join(world.cwd, 'Dockerfile'), path.join(world.top, 'Dockerfile')])
      writeFileSync(file, 'FROM a\n');
    mkdirSync(path.join(world.cwd, '.pawl'));
    symlinkSync(path.join(world.cwd, 'Dockerfile'), path.join(world.cwd, '.pawl/link'));
    symlinkSync(world.top, path.join(world.cwd, '.pawl/folder'));
    expect(() => imageUnder({ dockerfile: name })).toThrow(/is not below \.pawl/);
  });

  test('that is not there, and a certificate that is not, are named', () => {
    expect(() => imageUnder({ dockerfile: '.pawl/Dockerfile' })).toThrow(/Dockerfile cannot be read/);
    expect(() => imageUnder({}, { NODE_EXTRA_CA_CERTS: '/nowhere.pem' })).toThrow(
      /nowhere\.pem cannot be read/,
    );
  });
});

describe('an image of the user’s', () => {
  const ready = (sandbox: object, docker: string) => {
    world.program('docker', docker);
    const { env } = world.context();
    const host = { spawn: createSpawn(), sweep: createSweep(), env };
    return readyImage(world.context(), host, { config: configSchema.parse({ sandbox }), root: world.cwd });
  };

  test('is taken as it is', async () => expect(await ready({ image: 'mine' }, 'exit 0')).toBe('mine'));

  test('is neither pulled nor built', async () => {
    await expect(ready({ image: 'mine' }, 'exit 1')).rejects.toThrow(/no image mine here/);
    await expect(ready({ image: 'mine', setup: 'x' }, 'exit 0')).rejects.toThrow(
      /sandbox\.setup cannot apply/,
    );
    await expect(ready({ image: 'mine', dockerfile: 'x' }, 'exit 0')).rejects.toThrow(
      /sandbox.dockerfile cannot apply/,
    );
  });
});
