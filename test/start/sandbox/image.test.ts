// Which image a sandbox has.
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { configSchema } from '../../../src/config/schema.ts';
import { imageOf, readyImage } from '../../../src/start/sandbox/image.ts';
import { eachWorld } from '../../cli/world.ts';

const world = eachWorld();

function imageUnder(sandbox: object, env: Record<string, string> = {}): string {
  const context = { ...world.context(), packageRoot: path.resolve(import.meta.dirname, '../../..') };
  const config = configSchema.parse({ sandbox });
  return imageOf({ ...context, env: { ...context.env, ...env } }, config, world.cwd);
}

test('what the user names is it', () => expect(imageUnder({ image: 'mine:1' })).toBe('mine:1'));

test('otherwise it follows from setup and certificates', () => {
  world.write('ca.pem', 'PEM');
  const names = [
    imageUnder({}),
    imageUnder({ setup: 'true' }),
    imageUnder({}, { NODE_EXTRA_CA_CERTS: path.join(world.cwd, 'ca.pem') }),
  ];
  expect(new Set(names).size).toBe(3);
  for (const name of names) expect(name).toMatch(/^pawl-sandbox:[0-9a-f]{16}$/);
  expect(imageUnder({})).toBe(names[0]);
});

test('a certificate that is not there is named', () =>
  expect(() => imageUnder({}, { NODE_EXTRA_CA_CERTS: '/nowhere.pem' })).toThrow(
    /nowhere\.pem cannot be read/,
  ));

describe('an image of the user’s', () => {
  const ready = (sandbox: object, docker: string) => {
    world.program('docker', docker);
    return readyImage(world.context(), { config: configSchema.parse({ sandbox }), root: world.cwd });
  };

  test('is taken as it is', async () => expect(await ready({ image: 'mine' }, 'exit 0')).toBe('mine'));

  test('is neither pulled nor built', async () => {
    await expect(ready({ image: 'mine' }, 'exit 1')).rejects.toThrow(/no image mine here/);
    await expect(ready({ image: 'mine', setup: 'x' }, 'exit 0')).rejects.toThrow(
      /sandbox\.setup cannot apply/,
    );
  });
});
