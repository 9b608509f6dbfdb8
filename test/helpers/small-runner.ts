// A small repository whose own runner says how many tests it ran, as node:test does; and shell that puts files into it.

export const runner = `import fs from 'node:fs';
const tests = [];
globalThis.test = (name, act) => tests.push(act);
globalThis.equal = (a, b) => { if (JSON.stringify(a) !== JSON.stringify(b)) throw new Error('AssertionError: ' + a + ' is not ' + b); };
const { skip = '*' } = fs.existsSync('test.config.json') ? JSON.parse(fs.readFileSync('test.config.json', 'utf8')) : {};
let failed = 0;
for (const file of fs.readdirSync('test', { recursive: true }).filter((name) => name.endsWith('.test.mjs') && !name.includes(skip)).sort())
  try { await import(process.cwd() + '/test/' + file); } catch (error) { console.log(String(error)); failed += 1; }
for (const act of tests) try { await act(); } catch (error) { console.log(String(error)); failed += 1; }
console.log(['# tests ' + tests.length, '# pass ' + (tests.length - failed), '# fail ' + failed, ''].join('\\n'));
process.exit(failed > 0 ? 1 : 0);
`;

export const source = (name: string, factor = 2) => `export const ${name} = (n) => n * ${factor};\n`;

export const testFile = (name: string, expected = 4, from = `../src/${name}.mjs`) =>
  `import { ${name} } from '${from}';\ntest('${name}', () => {\n  equal(${name}(2), ${expected});\n});\n`;

/** Shell that writes a file. */
export const put = (file: string, text: string) =>
  `mkdir -p $(dirname ${file}); cat > ${file} <<'EOF'\n${text}EOF\n`;

/** Modules by name, each with its test. */
export function filesOf(...names: readonly string[]): Readonly<Record<string, string>> {
  return {
    'run.mjs': runner,
    'package.json': '{"type": "module", "scripts": {"test": "node run.mjs", "red": "false"}}\n',
    '.gitignore': 'node_modules/\n__pycache__/\n.pytest_cache/\n',
    ...Object.fromEntries(names.map((name) => [`src/${name}.mjs`, source(name)])),
    ...Object.fromEntries(names.map((name) => [`test/${name}.test.mjs`, testFile(name)])),
  };
}
