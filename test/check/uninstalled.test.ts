import { expect, test } from 'vitest';
import { findUninstalled } from '../../src/check/uninstalled.ts';

test.each<[names: string, command: string | undefined]>([
  ['package.json package-lock.json', 'npm ci'],
  ['package-lock.json node_modules', undefined],
  ['package.json', undefined],
  ['pnpm-lock.yaml', 'pnpm install --frozen-lockfile'],
  ['yarn.lock', 'yarn install'],
  ['yarn.lock .pnp.cjs', undefined],
  ['package-lock.json node_modules uv.lock', 'uv sync'],
  ['composer.lock vendor', undefined],
])('%s', (names, command) => {
  expect(findUninstalled((name) => names.split(' ').includes(name))?.command).toBe(command);
});
