// What the sandbox's image is built from, the name that follows from it, and what docker says meanwhile.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { buildArgs, type ImageRecipe, imageFiles, imageName } from '../../src/sandbox/build-image.ts';

const recipe: ImageRecipe = { dockerfile: 'FROM x\n', uid: 1000, gid: 1001 };
const root = path.resolve(import.meta.dirname, '../..');
const shipped = readFileSync(path.join(root, 'docker/Dockerfile'), 'utf8');

describe('the name', () => {
  test('is the same for the same recipe', () => {
    expect(imageName(recipe)).toMatch(/^pawl-sandbox:[0-9a-f]{16}$/);
    expect(imageName({ ...recipe })).toBe(imageName(recipe));
  });

  test.each<[string, Partial<ImageRecipe>]>([
    ['Dockerfile', { dockerfile: 'FROM y\n' }],
    ['setup', { setup: 'true' }],
    ['list of agents', { packages: ['opencode-ai'] }],
    ['user', { uid: 1 }],
    ['group', { gid: 1 }],
    ['certificate', { certificates: 'PEM' }],
  ])('is another one for another %s', (_, change) => {
    expect(imageName({ ...recipe, ...change })).not.toBe(imageName(recipe));
  });
});

describe('docker builds from', () => {
  test('the Dockerfile and an empty folder of certificates', () => {
    expect(imageFiles(recipe)).toEqual({ Dockerfile: 'FROM x\n', 'certificates/none': '' });
  });

  test('the host’s certificates, and a setup as the last layer, in which docker replaces nothing', () => {
    expect(imageFiles({ ...recipe, setup: 'echo "$HOME" \\\n && b', certificates: 'PEM' })).toEqual({
      Dockerfile: `FROM x

USER root
RUN ["/bin/bash","-euxo","pipefail","-c","echo \\"$HOME\\" \\\\\\n && b"]
USER 1000:1001
`,
      'certificates/host.crt': 'PEM',
    });
  });

  test('the user’s proxies by name, never by value', () => {
    const args = buildArgs(recipe, {
      folder: '/f',
      env: { HTTPS_PROXY: 'http://user:secret@proxy', OTHER: 'x' },
    });
    expect(args.join(' ')).toBe(
      `build --force-rm --tag ${imageName(recipe)} --label pawl.image=sandbox ` +
        '--build-arg UID=1000 --build-arg GID=1001 --build-arg HTTPS_PROXY /f',
    );
  });
});

test('more agents are an argument that the shipped Dockerfile takes', () => {
  const args = buildArgs(
    { ...recipe, packages: ['opencode-ai', '@google/gemini-cli'] },
    { folder: '/f', env: {} },
  );
  expect(args).toContain('AGENTS=opencode-ai @google/gemini-cli');
  expect(shipped).toMatch(/^ARG AGENTS=""$/m);
});

test('the shipped image has the agents that pawl is tested with', () => {
  const tested = readFileSync(path.join(root, 'test/helpers/install-agents.mjs'), 'utf8');
  const versionOf = (name: string) => new RegExp(`'${name}',\\s*version: '([^']+)'`).exec(tested)?.[1];
  expect(shipped).toContain(`ARG CLAUDE_CODE=${versionOf('@anthropic-ai/claude-code')}\n`);
  expect(shipped).toContain(`ARG CODEX=${versionOf('@openai/codex')}\n`);
});
