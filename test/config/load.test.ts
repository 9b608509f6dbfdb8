import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findFolders } from '../../src/config/folders.ts';
import { type ConfigSources, loadConfig } from '../../src/config/load.ts';
import { readFlagLayer } from '../../src/config/text-layer.ts';
import { Failure } from '../../src/failure.ts';
import { eachTest } from '../helpers/each-test.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

const temp = eachTest(makeTempFolder);
const at = (file: string) => path.join(temp.path, file);

function put(file: string, text: string): void {
  mkdirSync(path.dirname(at(file)), { recursive: true });
  writeFileSync(at(file), text);
}

const projectFile = 'repo/.pawl/config.yaml';
const userFile = 'home/.config/pawl/config.yaml';

function load(more: Partial<ConfigSources> = {}) {
  mkdirSync(at('repo'), { recursive: true });
  return loadConfig({
    root: at('repo'),
    env: {},
    folders: findFolders({}, at('home')),
    trusted: true,
    ...more,
  });
}

function failure(act: () => unknown): Failure {
  try {
    act();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('nothing failed');
}

test('without any file everything is the default, and durations are milliseconds', () => {
  const { config, settings, files } = load();
  expect(config).toMatchObject({ agent: { name: 'claude' }, clocks: { silence: 600_000 }, archive: true });
  expect(settings.get('clocks.silence')?.origin).toEqual({ layer: 'default' });
  expect(files).toEqual([]);
});

test('a stage that a flag names is the one that the settings define by that name', () => {
  const own = { name: 'own', script: './own.sh' };
  const mine = { name: 'first', reviewers: ['quality'] };
  put(userFile, `review: { stages: [${JSON.stringify({ ...own, script: './other.sh' })}] }\n`);
  put(projectFile, `review: { stages: [${JSON.stringify(own)}, ${JSON.stringify(mine)}] }\n`);
  const flags = readFlagLayer([{ flag: '--review', key: 'review.stages', text: 'final,own,first' }]);
  expect(load({ flags }).config.review.stages).toMatchObject([{ name: 'final' }, own, mine]);
  expect(load({ flags, trusted: false }).config.review.stages).toMatchObject([
    { name: 'final' },
    { script: './other.sh' },
    { name: 'first' },
  ]);
  expect(load().config.review.stages).toMatchObject([own, mine]);
});

test('flags beat the environment beats front matter beats the project beats the user', () => {
  const keys = ['roles.task', 'task.attempts', 'branch', 'agent.claude.model', 'tamper'];
  put(
    userFile,
    'roles: { task: user }\ntask: { attempts: 9 }\nbranch: user\nagent: { claude: { model: user } }\ntamper: fail\n',
  );
  put(
    projectFile,
    'roles: { task: project }\ntask: { attempts: 8 }\nbranch: project\nagent: { claude: { model: project } }\n',
  );
  const place = { line: 2, column: 1, offset: 4 };
  const settings = new Map([
    ['model', { value: 'plan', place }],
    ['attempts', { value: 7, place }],
    ['branch', { value: 'plan', place }],
  ]);
  const { config, settings: all } = load({
    flags: readFlagLayer([{ flag: '--model', key: 'roles.task', text: 'flag' }]),
    env: { PAWL_ROLES_TASK: 'env', PAWL_TASK_ATTEMPTS: '6' },
    frontMatter: { file: 'p.md', settings },
  });
  expect([
    config.roles.task,
    config.task.attempts,
    config.branch,
    config.agent.claude.model,
    config.tamper,
  ]).toEqual(['flag', 6, 'plan', 'project', 'fail']);
  expect(keys.map((key) => all.get(key)?.origin)).toEqual([
    { layer: 'flag', file: '--model' },
    { layer: 'environment', file: 'PAWL_TASK_ATTEMPTS' },
    { layer: 'plan', file: 'p.md', line: 2, column: 1 },
    { layer: 'project', file: at(projectFile), line: 4, column: 27 },
    { layer: 'user', file: at(userFile), line: 5, column: 9 },
  ]);
});

test('a project may ask for a sandbox', () => {
  put(projectFile, 'sandbox: { kind: docker, setup: apt-get update, memory: 8g }\n');
  expect(load().config.sandbox).toMatchObject({ kind: 'docker', memory: '8g' });
});

test('the project is not read while it is not trusted, not even when it is broken', () => {
  put(projectFile, 'agent: { claude: { command: ./evil } }\n: [');
  const { config, notices, files } = load({ trusted: false });
  expect(config.agent.claude.command).toBe('claude');
  expect(notices).toEqual([
    '.pawl/config.yaml is not read: this repository is not trusted; see `pawl trust`',
  ]);
  expect(files).toEqual([{ layer: 'project', file: at(projectFile), read: false }]);
});

test('all problems of all layers are told at once, with file, line and column', () => {
  put(projectFile, 'strct: true\ntask:\n  attempts: none\n');
  put(userFile, 'clocks: { chek: 3m }\n');
  const { code, message } = failure(() => load({ env: { PAWL_BRANHC: 'x' } }));
  expect(code).toBe('config');
  expect(message.split('\n')).toEqual([
    '4 problems in the configuration',
    '  PAWL_BRANHC: this variable names no setting; did you mean PAWL_BRANCH?',
    `  ${at(projectFile)}:1:1 there is no setting strct; did you mean strict?`,
    `  ${at(projectFile)}:3:13 task.attempts takes a number, not “none”. Number of sessions for a task before it fails.`,
    `  ${at(userFile)}:1:11 there is no setting clocks.chek; did you mean clocks.check?`,
  ]);
});

test.each([
  ['kind: none', 'sandbox.kind: none'],
  ['kind: process', 'sandbox.kind: process'],
  ['mounts: [/home]', 'sandbox.mounts'],
  ['protect: []', 'sandbox.protect'],
  ['env: [TOKEN]', 'sandbox.env'],
  ['egress: open', 'sandbox.egress'],
  ['allow: [evil.example]', 'sandbox.allow'],
])('a project may not say sandbox: %s', (line, named) => {
  put(projectFile, `sandbox:\n  ${line}\n`);
  expect(failure(() => load()).message).toMatch(new RegExp(`:2:\\d+ ${named} is not a project’s to set`));
});

test('a script agent without a program contradicts itself', () => {
  put(projectFile, 'agent:\n  name: script\n');
  expect(failure(() => load()).message).toBe(
    `${at(projectFile)}:2:9 agent.name script needs agent.script.command, the program to run`,
  );
});

test.each([
  ['agent: { name: wrok }\n', '1:16 agent.name: there is no agent wrok. There are claude, codex,'],
  [
    'agent: { fallback: [wrok] }\nagents: { work: { use: claude, env: {} } }\n',
    '1:20 agent.fallback: there is no agent wrok. There are claude, codex,',
  ],
  [
    'review:\n  stages: [{ name: x, reviewers: [quality], agent: wrok }]\n',
    '2:11 review.stages: there is no agent wrok.',
  ],
  ['agents: { work: { use: cursor, env: {} } }\n', '1:9 agents takes a map'],
  ['agents: { claude: { use: claude, env: {} } }\n', '1:9 agents takes a map'],
])('an agent that does not exist is an error with its place: %j', (text, wanted) => {
  put(projectFile, text);
  expect(failure(() => load()).message).toContain(`${at(projectFile)}:${wanted}`);
});

test('a login is an agent of its own, and its folder is one of the home', () => {
  put(
    projectFile,
    'agent: { name: work, fallback: [claude] }\nagents: { work: { use: claude, env: { CLAUDE_CONFIG_DIR: ~/w } } }\n',
  );
  const { agent } = load().config;
  expect(agent.logins['work']?.env['CLAUDE_CONFIG_DIR']).toMatch(/^\/.*\/w$/);
});

test.each(['file', 'folder'])(
  'a project file behind a linked %s is refused: consent does not cover its bytes',
  (what) => {
    put('elsewhere/config.yaml', 'agent: { claude: { command: ./evil } }\n');
    mkdirSync(at('repo'));
    if (what === 'folder') symlinkSync('../elsewhere', at('repo/.pawl'));
    else {
      mkdirSync(at('repo/.pawl'));
      symlinkSync('../../elsewhere/config.yaml', at(projectFile));
    }
    expect(failure(() => load()).message).toContain('symbolic link');
  },
);

test('a pipe in the place of the project file is not waited for', () => {
  mkdirSync(at('repo/.pawl'), { recursive: true });
  execFileSync('mkfifo', [at(projectFile)]);
  expect(failure(() => load()).message).toContain('is a pipe');
});

test('a repository reached through a link of the user’s is fine', () => {
  put(projectFile, 'branch: b\n');
  symlinkSync('repo', at('link'));
  expect(load({ root: at('link') }).config.branch).toBe('b');
});

test('a file that cannot be read is a failure, not an absent one', () => {
  mkdirSync(at(projectFile), { recursive: true });
  expect(failure(() => load()).message).toContain('cannot be read: a folder is in its place');
});

test('a file of the other ending for YAML is told, not passed over', () => {
  for (const file of [projectFile, userFile]) {
    const other = file.replace('.yaml', '.yml');
    put(other, 'strict: true\n');
    expect(failure(() => load())).toMatchObject({
      message: `${at(other)} is not read under this name`,
      hint: `Rename it to ${at(file)}.`,
    });
    rmSync(at(other));
  }
});

test('a review stage that there is not is told with its place', () => {
  put(projectFile, 'strict: true\nreview: { stages: [frist] }\n');
  expect(failure(() => load()).message).toBe(
    `${at(projectFile)}:2:19 there is no review stage frist. Did you mean first? There are first, external, final.`,
  );
});

test('addresses of messages are a list of their own, or one below notify', () => {
  for (const text of ['notify: [json://h]\n', 'notify: { urls: [json://h] }\n']) {
    put(userFile, text);
    expect(load().config.notify.urls, text).toEqual(['json://h']);
  }
  const env = { PAWL_NOTIFY: 'json://a/x, json://b/y' };
  expect(load({ env }).config.notify.urls).toEqual(['json://a/x', 'json://b/y']);
});

test.each([
  [projectFile, 'notify: [json://h/verysecret]\n', /config\.yaml:1:9 notify\.urls is not a project’s to set/],
  [projectFile, 'notify: { on: [done] }\n', /config\.yaml:1:15 notify\.on is not a project’s to set/],
  [
    userFile,
    'notify: { urls: json://h/verysecret }\n',
    /config\.yaml:1:17 notify\.urls takes a list of texts, not this/,
  ],
  [userFile, 'notify: { on: [dinner] }\n', /config\.yaml:1:15 notify\.on takes a list .* needs-input, stuck/],
])('in %s %s is refused', (file, text, says) => {
  put(file, text);
  const { message } = failure(() => load());
  expect(message).toMatch(says);
  expect(message).not.toContain('verysecret');
});

test('a command line, which everybody can read, takes no address', () => {
  const flags = readFlagLayer([], ['notify.urls=json://h/verysecret']);
  const { message } = failure(() => load({ flags }));
  expect(message).toMatch(/^--set: notify\.urls holds secrets/);
  expect(message).not.toContain('verysecret');
});
