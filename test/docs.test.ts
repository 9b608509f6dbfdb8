// What the guides say of pawl is held against pawl: commands, options, settings, attributes, exit codes, examples, links.
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { agentNames } from '../src/agent-name.ts';
import { commands, findCommand } from '../src/cli/commands.ts';
import { joinName } from '../src/cli/parse-arguments.ts';
import { findKey, sections } from '../src/config/setting-keys.ts';
import { exitCodes } from '../src/failure.ts';
import { attributeWords } from '../src/plan/attributes.ts';
import { lintPlan } from '../src/plan/lint.ts';
import { parsePlan } from '../src/plan/parse.ts';
import { blocksOf, judgeBlock, pages } from './helpers/doc-blocks.ts';
import { fact, setAside } from './helpers/facts.ts';
import { has, jq } from './helpers/needs.ts';

const root = path.resolve(import.meta.dirname, '..');
const guides = [
  'README.md',
  'SECURITY.md',
  'AGENTS.md',
  ...globSync(['{docs,docker,claude}/*.md', 'claude/skills/*/SKILL.md'], { cwd: root }),
];
const read = (guide: string) => readFileSync(path.join(root, guide), 'utf8');
const plain = (text: string) => text.replace(/<!-- config:start -->[\s\S]*<!-- config:end -->/, '');

/** Code of a text: its fenced lines, and its spans. */
function codeOf(text: string): readonly string[] {
  const spans = [...text.replaceAll(/^(`{3,}).*\n[\s\S]*?^\1$/gm, '').matchAll(/`([^`\n]+)`/g)];
  const fences = [...text.matchAll(/^```sh.*\n([\s\S]*?)^```$/gm)];
  return [
    ...spans.map(([, span = '']) => span),
    ...fences.flatMap(([, fence = '']) => fence.replaceAll(/#.*$/gm, '').split(/\n|&&|\|/)),
  ];
}

/** Words on which a shipped command stands: `pawl NAME …`, also behind npx. */
function callsOf(text: string): readonly Readonly<{ name: string; line: string }>[] {
  return codeOf(text).flatMap((line) => {
    const [, words] = /^\s*(?:npx )?pawl ([a-z]\S*.*)/.exec(line) ?? [];
    const [name] = joinName(words?.split(/\s+/) ?? []);
    return name === undefined ? [] : [{ name, line }];
  });
}

describe.each(guides)('%s', (guide) => {
  const text = plain(read(guide));

  test('leads to files and headings that exist', () => {
    const broken = [...text.matchAll(/\]\((?!https?:)([^)]+)\)/g)].flatMap(([, link = '']) => {
      const [file = '', heading] = link.split('#');
      const target = path.join(path.dirname(guide), file);
      if (!existsSync(path.join(root, target))) return [link];
      const headings = [...read(target).matchAll(/^#+ (.+)$/gm)].map(([, words = '']) =>
        words.toLowerCase().replaceAll(' ', '-'),
      );
      return heading === undefined || headings.includes(heading) ? [] : [link];
    });
    expect(broken).toEqual([]);
  });

  test('names commands and options that exist', () => {
    const unknown = callsOf(text).flatMap(({ name, line }) => {
      // `pawl plan.md` is a run.
      const spec = findCommand(name) ?? (name.includes('.') ? findCommand('run') : undefined);
      if (!spec) return [line];
      const flags = spec.options.flatMap((option) => option.flags.match(/--[a-z-]+/g) ?? []);
      return (line.match(/--[a-z-]+/g) ?? [])
        .filter((flag) => !flags.includes(flag))
        .map((flag) => `${line}: ${flag}`);
    });
    expect(unknown).toEqual([]);
    const all = new Set(
      commands.flatMap(({ options }) => options.flatMap(({ flags }) => flags.match(/--[a-z-]+/g) ?? [])),
    );
    const alone = codeOf(text).flatMap((code) => /^--[a-z-]+/.exec(code)?.[0] ?? []);
    expect(alone.filter((flag) => !all.has(flag))).toEqual([]);
  });

  test('names settings that exist', () => {
    const dotted = codeOf(text).flatMap((code) => /^([a-z]+(?:\.[a-zA-Z]+)+)(?::|$)/.exec(code)?.[1] ?? []);
    const settings = dotted.filter(
      (name) => sections.has(name.split('.')[0] ?? '') && !name.endsWith('.txt'),
    );
    expect(settings.filter((name) => !findKey(name) && !sections.has(name))).toEqual([]);
  });

  test('shows plans without a mistake', () => {
    const plans = [...text.matchAll(/^(`{3,})markdown.*\n([\s\S]*?)^\1$/gm)];
    const notes = plans.flatMap(([, , plan = '']) => lintPlan(parsePlan(plan, 'plan.md')));
    expect(notes.map(({ message }) => message)).toEqual([]);
  });
});

test.each(['docs/README.md', 'docs/llms.txt'])('%s names each page', (index) => {
  const named = new Set([...read(index).matchAll(/\]\(([\w-]+\.md)/g)].map(([, page = '']) => page));
  const all = globSync('docs/*.md', { cwd: root }).map((page) => path.basename(page));
  expect(all.filter((page) => page !== 'README.md' && !named.has(page))).toEqual([]);
  expect([...named].filter((page) => !all.includes(page))).toEqual([]);
});

test.each(pages)('%s has code blocks of known kinds only', (page) => {
  const odd = blocksOf(page).flatMap((block) => {
    const why = judgeBlock(block);
    return why === undefined ? [] : [`${page}:${block.line} ${why}`];
  });
  expect(odd).toEqual([]);
});

test('troubleshooting quotes what pawl says', () => {
  const files = globSync('src/**/*.ts', { cwd: root });
  const source = files.map((file) => readFileSync(path.join(root, file), 'utf8')).join('\n');
  const cells = [...read('docs/troubleshooting.md').matchAll(/^\| ([^|]+) \|/gm)].map(
    ([, cell = '']) => cell,
  );
  const quotes = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, quote = '']) => quote));
  const parts = quotes.flatMap((quote) => quote.split(/…|\b(?:N|PLAN|\d+)\b|file:line:column/));
  const unsaid = parts.map((part) => part.trim()).filter((part) => part.length > 4 && !source.includes(part));
  expect(quotes.length).toBeGreaterThan(10);
  expect(unsaid).toEqual([]);
});

test('the table of attributes has each word that may stand before the colon', () => {
  const [, table = ''] = /^\| attribute \|.*\n([\s\S]*?)\n\n/m.exec(read('docs/plans.md')) ?? [];
  const named = [...table.matchAll(/`([a-z]+):`/g)].map(([, word]) => word);
  expect([...attributeWords.keys()].filter((word) => !named.includes(word))).toEqual([]);
  expect(named.filter((word) => word !== undefined && !attributeWords.has(word))).toEqual([]);
});

test('the table of agents has each agent', () => {
  const rows = [...read('docs/agents.md').matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name);
  expect(rows).toEqual(agentNames);
});

test('the table of exit codes has each code', () => {
  const [, table = ''] = /^## Exit codes\n([\s\S]*?)\n\nWhen/m.exec(read('docs/running.md')) ?? [];
  const named = [...table.matchAll(/^\| ([\d, ]+) \|/gm)].flatMap(([, codes = '']) =>
    codes.split(', ').map(Number),
  );
  expect(new Set(named)).toEqual(new Set(Object.values(exitCodes)));
});

const maps = globSync('src/*.md', { cwd: root });

test('the map fits on two screens, and leads to what lies behind it', () => {
  const map = read('src/README.md');
  expect(map.split('\n').length).toBeLessThanOrEqual(120);
  const behind = [...map.matchAll(/\]\(([\w.]+)\)/g)].map(([, file = '']) => `src/${file}`);
  expect([...new Set(behind), 'src/README.md'].toSorted()).toEqual([...maps].toSorted());
});

test('the map names files that exist, and paths that are theirs', () => {
  const files = globSync('{src,test}/**/*.{ts,tsx,js}', { cwd: root });
  const text = maps.map(read).join('\n');
  const named = [...text.matchAll(/(?<![\w./*-])([\w*/-]+\.(?:ts|js))\b/g)].map(([, name = '']) => name);
  const fits = (pattern: string) => {
    const shape = pattern.replaceAll('.', '\\.').replaceAll('*', '[\\w-]*');
    return files.some((file) => new RegExp(`(?:^|/)${shape}$`).test(file));
  };
  expect(named.length).toBeGreaterThan(100);
  expect([...new Set(named)].filter((name) => !fits(name))).toEqual([]);
});

test.runIf(has('jq'))('the recipe for notifiers words each event that it names', () => {
  const [, program = ''] = /jq -r --unbuffered '([^']+)'/.exec(read('docs/automation.md')) ?? [];
  const events = [
    setAside('parked'),
    fact('waiting'),
    fact('budget-reached'),
    fact('stuck'),
    fact('phase'),
    fact('run-ended', { exit: 0, reasons: [] }),
    fact('run-ended', { exit: 1, reasons: [{ exit: 1, code: 'task-failed', text: 'task 1 failed' }] }),
  ];
  const input = events.map((event) => JSON.stringify(event)).join('\n');
  expect(
    execFileSync(jq ?? '', ['-r', program], { input, encoding: 'utf8' })
      .trim()
      .split('\n'),
  ).toEqual([
    'task 2 asks: Which table holds the users?',
    'waiting until 2026-11-22T02:30:00Z: 5-hour limit reached',
    '80 % of a budget is spent: cost',
    'task 2 is stuck: attempt 2 ended with the same failure as attempt 1',
    'exit 0: done',
    'exit 1: task 1 failed',
  ]);
});
