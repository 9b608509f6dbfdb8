// What pawl reads and ticks in place: each format by a fixture of real shape, to its tasks, and back to the same bytes.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withBeside } from '../../../src/plan/companion-docs.ts';
import { lintPlan } from '../../../src/plan/lint.ts';
import { parsePlan } from '../../../src/plan/parse.ts';
import { isClosed, type Plan, pickTask, untrackedBoxes } from '../../../src/plan/plan.ts';
import { branchName } from '../../../src/plan/plan-name.ts';
import { tickTask } from '../../../src/plan/tick.ts';
import { makeTempFolder } from '../../helpers/temp-folder.ts';
import { soup } from '../soup.ts';

const fixtures = path.resolve(import.meta.dirname, '../../fixtures/plans');
const files = {
  specKit: 'spec-kit/specs/001-short-links/tasks.md',
  openSpec: 'openspec/openspec/changes/add-two-factor/tasks.md',
  flat: 'flat/TODO.md',
  ralphex: 'ralphex/docs/plans/20260115-cache.md',
  bmad: 'bmad/docs/stories/2.1.export-notes.md',
};

function read(file: string): Plan {
  return parsePlan(readFileSync(path.join(fixtures, file), 'utf8'), file);
}

/** Tasks as `1[x,-,m] title`: ticked, open, manual. */
function shape(plan: Plan): string[] {
  return plan.tasks.map(({ id, title, steps }) => {
    const boxes = steps.map((step) => (step.ticked ? 'x' : step.manual ? 'm' : '-'));
    return `${id}[${boxes.join(',')}] ${title}`;
  });
}

describe('spec-kit', () => {
  const plan = read(files.specKit);

  test('a phase is a task, its boxes are the steps, whatever headings stand between', () => {
    expect(shape(plan)).toEqual([
      '1[-,-] Setup (Shared Infrastructure)',
      '2[x] Foundational (Blocking Prerequisites)',
      '3[-,-] User Story 1 - Shorten a link (Priority: P1) 🎯 MVP',
      'N[-] Polish & Cross-Cutting Concerns',
    ]);
    expect(plan.tasks[2]?.steps[0]?.text).toBe(
      'T004 [P] [US1] Contract test for POST /links in tests/links.txt',
    );
  });

  test('title and branch are the feature’s, sentences on being done are criteria', () => {
    expect(plan.title).toBe('Short links');
    expect(branchName(`/work/${files.specKit}`)).toBe('001-short-links');
    expect(plan.tasks.flatMap(({ id, criteria }) => criteria.map((text) => `${id} ${text}`))).toEqual([
      '2 Foundation ready - user story implementation can now begin',
      '3 Shorten a link and open it in a browser',
      '3 User Story 1 works on its own',
    ]);
  });

  test('its front matter is its own, and no mistake', () => {
    expect(plan.settings.size).toBe(0);
    expect(lintPlan(plan).map(({ severity, rule, place }) => `${severity} ${rule}:${place.line}`)).toEqual([
      'warning task-without-check:18',
    ]);
  });

  test('the documents beside it are named to sessions', () => {
    expect(besideOf(files.specKit)).toEqual(['spec.md', 'plan.md', 'contracts/links.yaml']);
  });
});

describe('OpenSpec', () => {
  const plan = read(files.openSpec);

  test('a numbered group is a task, nested boxes are steps of it', () => {
    expect(shape(plan)).toEqual([
      '1[-,-] Database Setup',
      '2[-,-,-,-] Backend Implementation',
      '3[x] Frontend Updates',
    ]);
    expect(plan.title).toBe('add-two-factor');
    expect(branchName(files.openSpec)).toBe('add-two-factor');
    expect(lintPlan(plan).filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  test('proposal, design and spec deltas are named, and the proposal is told', () => {
    expect(besideOf(files.openSpec)).toEqual(['proposal.md', 'design.md', 'specs/auth/spec.md']);
    const told = withBeside('Before.', { file: path.join(fixtures, files.openSpec), name: 'tasks.md' });
    expect(told.startsWith('Before.\n\nThe documents of this plan')).toBe(true);
    expect(told).toContain('\n\n# Change: Add two-factor login\n\n## Why\nPasswords alone are not enough.');
  });
});

describe('a flat list', () => {
  const plan = read(files.flat);

  test('an outermost box is a task, boxes below it are steps, attributes hold', () => {
    expect(shape(plan)).toEqual([
      '1[-,-] Write the changelog',
      '2[x] Bump the version',
      '3[-] Describe the `--fast` switch in docs/switches.txt',
      '4[m] Ask legal about the licence (manual)',
    ]);
    expect(plan.tasks[0]?.checks.map(({ command }) => command)).toEqual(['test -f CHANGES.txt']);
    expect(plan.checks.map(({ command }) => command)).toEqual(['test -f README.md']);
    expect(plan.overview).toBe('What is left before the release.');
    expect(plan.tasks[2]?.source).toBe('- [ ] Describe the `--fast` switch in\n    docs/switches.txt');
    expect(lintPlan(plan)).toEqual([]);
  });

  test.each([
    ['own ids, if each has one', '- [ ] T001 a\n- [x] T002 [P] b\n', ['T001[-] a', 'T002[x] [P] b']],
    ['own numbers', '- [ ] 1. a\n  - [ ] 1.1 b\n- [ ] 2. c\n', ['1[-,-] a', '2[-] c']],
    ['bold ones', '- [ ] **3.** a\n- [ ] **4.** b\n', ['3[-] a', '4[-] b']],
    ['a ticket', '- [ ] ABC-7: a\n', ['ABC-7[-] a']],
    ['not all have one', '- [ ] 1. a\n- [ ] b\n', ['1[-] 1. a', '2[-] b']],
    ['the same twice', '- [ ] 1. a\n- [ ] 1. b\n', ['1[-] 1. a', '2[-] 1. b']],
    ['a year is no id', '- [ ] 2026 was good\n', ['1[-] 2026 was good']],
    ['boxes under other headings', '## Now\n- [ ] a\n## Later\n1. [ ] b\n', ['1[-] a', '2[-] b']],
    ['none in a quote or fence', '> - [ ] a\n\n```\n- [ ] b\n```\n- [ ] c\n', ['1[-] c']],
    ['none among the checks', '## Checks\n- [ ] a\n', []],
    ['numbered sections without boxes', '## 1. Intro\ntext\n## Work\n- [ ] a\n', ['1[-] a']],
    ['steps, not only phases', '### Step 1: A\n- [ ] a\n### Step 2 - B\n- [ ] b\n', ['1[-] A', '2[-] B']],
    ['the shallowest numbers', '## 1. A\n### 1.1 B\n- [ ] a\n### 1.2 C\n- [ ] b\n', ['1[-,-] A']],
    ['a section without a title', '## Phase 2\n- [ ] a\n', ['2[-] Phase 2']],
    ['ids of a tracker', '### US-001: A\n- [ ] a\n### US-002 - B\n- [x] b\n', ['US-001[-] A', 'US-002[x] B']],
    [
      'ids of a tracker in a numbered section',
      '## 1. Why\n## 2. Stories\n### AB-1: A\n- [ ] a\n### AB-2: B\n- [ ] b\n',
      ['AB-1[-] A', 'AB-2[-] B'],
    ],
    [
      'numbered sections that hold boxes beside the ids',
      '## 1. A\n### AB-1: x\n- [ ] a\n## 2. B\n- [ ] b\n',
      ['1[-] A', '2[-] B'],
    ],
    ['no id without a sign behind it', '## UTF-8 files\n- [ ] a\n- [ ] b\n', ['1[-] a', '2[-] b']],
    ['boxes of any heading', '## Work\n- [ ] a\n## Success Criteria\n- [ ] b\n', ['1[-] a', '2[-] b']],
    ['what is done already', '## Done\n- [x] a\n- [x] b\n', ['1[x] a', '2[x] b']],
  ])('%s', (_, text, tasks) => {
    expect(shape(parsePlan(text, 'x.md'))).toEqual(tasks);
  });

  test.each([
    ['a task heading beside it', '- [ ] a\n### Task 1: b\n- [ ] c\n'],
    ['a heading that only missed the form', '### Task 1 b\n- [ ] c\n'],
    ['a task in bold', '**Task 1: b**\n\n- [ ] c\n'],
  ])('is none with %s', (_, text) => {
    expect(parsePlan(text, 'x.md').format).toBe('tasks');
  });

  test('a misspelled setting of its front matter is told, and none of it taken', () => {
    const { settings, notes } = parsePlan('---\nmodle: x\n---\n- [ ] a\n', 'x.md');
    expect([...settings]).toEqual([]);
    expect(notes.map(({ rule, severity }) => `${severity} ${rule}`)).toEqual(['warning front-matter']);
    expect(parsePlan('---\nmodel: x\n---\n- [ ] a\n', 'x.md').settings.size).toBe(1);
  });
});

describe('a BMAD story', () => {
  const plan = read(files.bmad);

  test('has the boxes below its Tasks for tasks, and no others', () => {
    expect(shape(plan)).toEqual([
      '1[x,x] Write the exporter (AC: 1)',
      '2[-,-,-] Name the file (AC: 2)',
      '2a[-] Cut names at 80 letters',
    ]);
    expect(plan.overview).toContain('- [ ] The file is named after the note');
    expect(untrackedBoxes(plan).map(({ text }) => text)).toEqual([
      'A note can be downloaded as text',
      'The file is named after the note',
      'All acceptance criteria met',
    ]);
    expect(plan.notes[0]?.message).toBe(
      'these 2 boxes under "Acceptance Criteria" are not part of any task, so nobody works on them: move it into a task',
    );
  });

  test.each([
    ['a section of that name without boxes', '## Tasks\nbelow\n## Now\n- [ ] a\n', ['1[-] a']],
    [
      'headings below it',
      '## Tasks\n### Now\n- [ ] a\n### Later\n- [ ] b\n## Done\n- [ ] c\n',
      ['1[-] a', '2[-] b'],
    ],
    ['a title', '# Tasks\n## Now\n- [ ] a\n## Later\n- [ ] b\n', ['1[-] a', '2[-] b']],
    ['a word more', '## Tasks for later\n- [ ] a\n## Now\n- [ ] b\n', ['1[-] a', '2[-] b']],
  ])('%s', (_, text, tasks) => {
    expect(shape(parsePlan(text, 'x.md'))).toEqual(tasks);
  });
});

test('ralphex’s plans are pawl’s own', () => {
  const plan = read(files.ralphex);
  expect(plan.format).toBe('tasks');
  expect(shape(plan)).toEqual(['1[-,-] Keep answers', '2[-] [Final] Update documentation']);
});

describe.each(Object.values(files))('%s', (file) => {
  test('is ticked to its end by single characters, each tick read back', () => {
    let plan = read(file);
    const { text } = plan;
    for (let task = pickTask(plan); task; task = pickTask(plan)) {
      plan = parsePlan(tickTask(plan, task.id), file);
      const after = plan.tasks.find(({ id }) => id === task?.id);
      expect(after && isClosed(after)).toBe(true);
    }
    const changed = [...plan.text].filter((character, at) => character !== [...text][at]);
    expect(new Set(changed)).toEqual(new Set(['x']));
    expect(plan.text.replaceAll('[x]', '[ ]')).toBe(text.replaceAll('[x]', '[ ]'));
  });
});

test('whatever stands in a list, a task’s ticks are read back as that task’s', () => {
  fc.assert(
    fc.property(fc.array(soup, { maxLength: 12 }), (lines) => {
      const text = ['- [ ] first', ...lines].join('\n');
      const plan = parsePlan(text, 'x.md');
      const task = pickTask(plan);
      // Two tasks of one id are an error of the plan.
      const ids = plan.tasks.map(({ id }) => id);
      if (!task || new Set(ids).size < ids.length) return;
      const after = parsePlan(tickTask(plan, task.id), 'x.md');
      const closed = (one: Plan) => one.tasks.filter(isClosed).map(({ id }) => id);
      expect(closed(after)).toEqual(
        plan.tasks.filter((one) => isClosed(one) || one === task).map(({ id }) => id),
      );
    }),
  );
});

function besideOf(file: string): string[] {
  const told = withBeside('', { file: path.join(fixtures, file), name: 'a/tasks.md' });
  return [...told.matchAll(/^- a\/(\S+)$/gm)].map(([, name]) => name ?? '');
}

describe('Kiro', () => {
  const nested =
    '# Implementation Plan\n\n- [ ] 1. Set up\n  - [x] 1.1 Make folders\n  - [ ] 1.2 Write types\n    - _Requirements: 1.1_\n- [ ] 2. Build\n  - [ ]* 2.1 Property tests\n';
  const escaped = nested.replace('[ ]*', '[ ]\\*');
  const level = nested.replaceAll('  - ', '- ').replace('  - _', '    - _');

  test.each([
    ['below its group', nested],
    ['at the depth of its group', level],
    ['whose asterisk a formatter escaped', escaped],
  ])('a part %s is a step of it, and what is optional never blocks', (_, text) => {
    const plan = parsePlan(text, 'tasks.md');
    expect(shape(plan)).toEqual(['1[-,x,-] Set up', '2[-,-] Build']);
    const steps = plan.tasks[1]?.steps.map(({ text: words, optional }) => `${words}${optional ? '*' : ''}`);
    expect(steps).toEqual(['2. Build', '2.1 Property tests*']);
    const ticked = tickTask(plan, '2');
    expect(ticked).toBe(text.replace('- [ ] 2.', '- [x] 2.'));
    expect(isClosed(parsePlan(ticked, 'tasks.md').tasks[1] ?? { steps: [] })).toBe(true);
  });

  test('numbers that only begin alike are tasks of their own', () => {
    const plan = parsePlan('- [ ] 1. a\n- [ ] 10. b\n- [ ] 11.1 c\n', 'tasks.md');
    expect(plan.tasks.map(({ id }) => id)).toEqual(['1', '10', '11.1']);
  });

  test('requirements and design are named to sessions', () => {
    using folder = makeTempFolder();
    for (const name of ['tasks.md', 'requirements.md', 'design.md'])
      writeFileSync(path.join(folder.path, name), '# A\n');
    const told = withBeside('', { file: path.join(folder.path, 'tasks.md'), name: 'specs/a/tasks.md' });
    expect(told).toContain('- specs/a/requirements.md\n- specs/a/design.md');
  });
});

describe('sections of a numbered list', () => {
  test('a letter behind the number is a section, and one without a number is named', () => {
    const plan = parsePlan(
      '## 4. a\n- [ ] b\n\n## 4a. c\n- [ ] d\n\n## Governance\n- [ ] e\n- [x] f\n\n## 3D view\n- [ ] g\n- [ ] h\n',
      'tasks.md',
    );
    expect(shape(plan)).toEqual(['4[-] a', '4a[-] c']);
    expect(untrackedBoxes(plan).map(({ text }) => text)).toEqual(['e', 'g', 'h']);
    expect(
      plan.notes.filter(({ rule }) => rule === 'step-outside-task').map(({ message }) => message),
    ).toEqual([
      'this box under "Governance" is not part of any task, so nobody works on it: move it into a task',
      'these 2 boxes under "3D view" are not part of any task, so nobody works on them: move it into a task',
    ]);
  });
});

test('a numbered section without a box is told, as nobody works on it', () => {
  const plan = parsePlan(
    '## Phase 1: a\n- [ ] b\n## Phase 2: c\nWrite it.\n### 2.1 d\n## Notes\n',
    'tasks.md',
  );
  expect(shape(plan)).toEqual(['1[-] a']);
  expect(plan.notes.map(({ rule, message, place }) => `${place.line} ${rule} ${message}`)).toEqual([
    '3 task-without-steps `## Phase 2: c` has no box, so nobody works on it: if there is work in it, write that as `- [ ] text` lines',
  ]);
});

describe('front matter of another tool', () => {
  const list = (matter: string) => parsePlan(`---\n${matter}\n---\n- [ ] a\n`, 'todo.md');

  test('is left alone, even if it cannot be read', () => {
    expect(list('id: back-1\nassignee: @somebody')).toMatchObject({ tasks: [{}], notes: [] });
    expect(list('parent: 3').notes).toMatchObject([{ severity: 'warning', rule: 'front-matter' }]);
  });

  test('is ours where it sets what a plan may set, so that no budget is lost', () => {
    expect(list('budgets: { maxCost: 5').notes).toMatchObject([{ severity: 'error', rule: 'front-matter' }]);
  });
});
