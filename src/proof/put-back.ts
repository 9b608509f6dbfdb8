// Pure. A configuration file as an experiment puts it back: what decides checks is the base's, the product's keys are
// the work's.
import path from 'node:path';
import { parseObject } from '../check/read-file.ts';

/** The whole base where a file holds nothing of the product. */
export function putBackText(file: string, before: string, now: string): string {
  switch (path.posix.basename(file)) {
    case 'package.json':
      return mergePackage(before, now) ?? before;
    case 'pyproject.toml':
      return mergeTables(before, now, /^tool\.(?!poetry\b|hatch\b|setuptools\b|flit\b|pdm\b|uv\b)/);
    case 'Cargo.toml':
      return mergeTables(before, now, /^(?:profile|lints|workspace\.lints|test|bench)\b/);
    default:
      return before;
  }
}

/** Of package.json: all other keys configure tools. */
const productKeys = new Set(
  (
    'name version description keywords author license homepage repository bugs funding main module browser types typings exports imports type bin man directories files sideEffects engines os cpu ' +
    'dependencies devDependencies peerDependencies peerDependenciesMeta optionalDependencies bundledDependencies bundleDependencies overrides resolutions packageManager publishConfig workspaces private contributors maintainers unpkg jsdelivr'
  ).split(' '),
);

function mergePackage(before: string, now: string): string | undefined {
  const [was, is] = [parseObject(before), parseObject(now)];
  if (!was || !is) return undefined;
  const [old, names] = [namesIn(was['workspaces']), namesIn(is['workspaces'])];
  const kept = names.filter((name) => !name.startsWith('!') || old.includes(name));
  const lost = old.filter((name) => !name.startsWith('!') && !names.includes(name));
  // Where a workspace is left out, its tests do not run.
  const more = lost.length > 0 || kept.length < names.length ? { workspaces: [...kept, ...lost] } : {};
  const product = Object.entries({ ...is, ...more }).filter(([key]) => productKeys.has(key));
  const tools = Object.entries(was).filter(([key]) => !productKeys.has(key));
  return `${JSON.stringify(Object.fromEntries([...product, ...tools]), null, 2)}\n`;
}

const namesIn = (value: unknown): string[] => [Object(value).packages ?? value ?? []].flat().map(String);

function mergeTables(before: string, now: string, decides: RegExp): string {
  const tables = [
    ...readTables(now).filter(({ name }) => !decides.test(name)),
    ...readTables(before).filter(({ name }) => decides.test(name)),
  ];
  return `${tables.map(({ lines }) => lines.join('\n')).join('\n')}\n`;
}

type Table = Readonly<{ name: string; lines: string[] }>;

/** The first has no name. A line within an array or a long string begins none. */
function readTables(text: string): readonly Table[] {
  const tables: Table[] = [{ name: '', lines: [] }];
  let depth = 0;
  let quote: string | undefined;
  for (const line of text.replace(/\n$/, '').split('\n')) {
    const name =
      depth === 0 && !quote ? /^\s*\[{1,2}\s*([^\]]+?)\s*\]{1,2}\s*(?:#.*)?$/.exec(line)?.[1] : undefined;
    if (name !== undefined) tables.push({ name: name.replaceAll('"', ''), lines: [] });
    tables.at(-1)?.lines.push(line);
    if (name !== undefined) continue;
    for (const [mark] of line.matchAll(/"""|'''|"(?:\\.|[^"\\])*"|'[^']*'|#.*|[[\]]/g)) {
      if (mark === '"""' || mark === "'''")
        quote = quote === undefined ? mark : quote === mark ? undefined : quote;
      else if (quote === undefined && mark === '[') depth += 1;
      else if (quote === undefined && mark === ']') depth = Math.max(0, depth - 1);
    }
  }
  return tables;
}
