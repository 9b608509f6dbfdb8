// An image is built once, from pawl's own files alone; a build that fails says why. docker is a script here.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { sweep } from '../../src/process/host-sweep.ts';
import { spawn } from '../../src/process/spawn.ts';
import { type BuildOptions, ensureImage, imageName } from '../../src/sandbox/build-image.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

const recipe = { dockerfile: 'FROM base:1\n', setup: 'true', uid: 1, gid: 2 };

/** A docker that has only the images it has built; `build` is what its build does. */
function makeDocker(top: string, build: string, more: Partial<BuildOptions> = {}) {
  const bin = path.join(top, 'bin');
  mkdirSync(bin);
  writeFileSync(
    path.join(bin, 'docker'),
    `#!/bin/sh
case "$1" in
image) grep -qx "$5" ${top}/images 2> /dev/null ;;
build) for folder; do :; done; cat "$folder/Dockerfile" > ${top}/built; ls "$folder/certificates" >> ${top}/built
${build} ;;
esac
`,
  );
  chmodSync(path.join(bin, 'docker'), 0o755);
  const said: string[] = [];
  const stop = new AbortController();
  const env = { PATH: `${bin}:${process.env['PATH']}` };
  const options = {
    folder: path.join(top, 'context'),
    log: path.join(top, 'cache/build.log'),
    env,
    say: (text: string) => said.push(text),
    signal: stop.signal,
    ...more,
  };
  const ensure = () => ensureImage({ spawn, sweep, env }, recipe, options);
  return { said, stop, ensure };
}

test('a missing one is built, with what it does told, and only once', async () => {
  using top = makeTempFolder();
  const build = `echo "$4" >> ${top.path}/images`;
  const { said, ensure } = makeDocker(top.path, build);
  expect(await ensure()).toBe(imageName(recipe));
  expect(said).toEqual([
    expect.stringContaining(`${imageName(recipe)} does not exist yet`),
    '  The image is built.',
  ]);
  expect(readFileSync(path.join(top.path, 'built'), 'utf8')).toMatch(
    /^FROM base:1\n[\s\S]*USER 1:2\nnone\n$/,
  );
  expect(existsSync(path.join(top.path, 'context'))).toBe(false);
  await ensure();
  expect(said).toHaveLength(2);
});

test('a build that fails is told with its last words, and kept whole', async () => {
  using top = makeTempFolder();
  const { said, ensure } = makeDocker(top.path, 'echo one; echo "E: Unable: not found" >&2; exit 100');
  await expect(ensure()).rejects.toMatchObject({
    code: 'environment',
    message: 'the sandbox’s image could not be built: docker ended with 100',
    hint: expect.stringContaining('build.log'),
  });
  expect(said).toEqual(expect.arrayContaining(['  one', '  E: Unable: not found']));
  expect(readFileSync(path.join(top.path, 'cache/build.log'), 'utf8').split('\n').sort()).toEqual(
    ['', 'E: Unable: not found', 'one'].sort(),
  );
  expect(existsSync(path.join(top.path, 'context'))).toBe(false);
});

test('a build that takes long gives signs of life', async () => {
  using top = makeTempFolder();
  const build = `echo at work
until [ -e ${top.path}/seen ]; do sleep 0.05; done`;
  const { said, ensure } = makeDocker(top.path, build, {
    quietMs: 50,
    say: (text) => {
      said.push(text);
      if (text === '  … at work') writeFileSync(path.join(top.path, 'seen'), '');
    },
  });
  await ensure();
  expect(said.at(-1)).toBe('  The image is built.');
});

test('a build ends when pawl is to end', async () => {
  using top = makeTempFolder();
  const { said, stop, ensure } = makeDocker(top.path, 'echo at work; exec sleep 60', { quietMs: 20 });
  const ensured = ensure();
  while (!said.includes('  … at work')) await new Promise((resolve) => setTimeout(resolve, 10));
  stop.abort(new Error('stopped'));
  await expect(ensured).rejects.toThrow('stopped');
});
