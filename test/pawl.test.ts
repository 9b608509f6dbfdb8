import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';

const text = readFileSync(new URL('../src/pawl.js', import.meta.url), 'utf8');
const engines = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).engines.node;

/** Runs the door under a Node of that version, with the import of main cut off. */
function open(node: string, env: Record<string, string> = {}) {
  const told = {
    stderr: '',
    exitCode: undefined as number | undefined,
    cache: 'untouched' as unknown,
    imported: false,
  };
  const process = {
    versions: { node },
    env,
    stderr: { write: (said: string) => (told.stderr += said) },
    set exitCode(code: number) {
      told.exitCode = code;
    },
    getBuiltinModule: () => ({ enableCompileCache: (folder: unknown) => (told.cache = folder) }),
  };
  const script = text.replace(/^#!.*/, '').replace(/import\('\.\/main\.ts'\)/, 'load()');
  runInNewContext(script, { process, Number, load: () => (told.imported = true) });
  return told;
}

test.each(['0.10.48', '8.17.0', '18.20.8', '20.20.0', '22.0.0', '22.17.1', '22.9.0'])(
  'Node %s is refused in words',
  (node) => {
    const { stderr, exitCode, imported } = open(node);
    expect({ exitCode, imported }).toEqual({ exitCode: 2, imported: false });
    expect(stderr).toContain(`needs Node 22.18.0 or newer; this is Node ${node}.`);
  },
);

test.each(['22.18.0', '22.20.1', '23.0.0', '24.21.0', '100.0.0'])('Node %s goes on', (node) => {
  expect(open(node)).toMatchObject({ stderr: '', exitCode: undefined, imported: true });
});

test('the version it asks for is that of the package', () => {
  expect(engines).toBe(`>=${/needed = '([^']+)'/.exec(text)?.[1]}`);
});

test.each<[Record<string, string>, unknown]>([
  [{ HOME: '/h' }, '/h/.cache/pawl/compile'],
  [{ HOME: '/h', XDG_CACHE_HOME: '/c' }, '/c/pawl/compile'],
  [{ HOME: '/h', XDG_CACHE_HOME: 'relative' }, '/h/.cache/pawl/compile'],
  [{ HOME: '/h', NODE_COMPILE_CACHE: '/n' }, undefined],
  [{}, 'untouched'],
])('the compile cache of %j is %j: never the shared temporary folder', (env, wanted) => {
  expect(open('24.0.0', env).cache).toBe(wanted);
});
