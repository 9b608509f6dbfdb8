import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { readStages } from '../../src/config/stages.ts';
import { readReviewer, readTemplate, withStagePrompts } from '../../src/prompt/library.ts';
import { fillTemplate } from '../../src/prompt/template.ts';
import { eachTest } from '../helpers/each-test.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

const shipped = path.resolve(import.meta.dirname, '../../templates');
const own = eachTest(makeTempFolder);
beforeEach(() => {
  for (const kind of ['prompts', 'reviewers']) mkdirSync(path.join(own.path, kind));
});

const put = (file: string, text: string) => writeFileSync(path.join(own.path, file), text);
const fill = (name: string) => fillTemplate(readTemplate([own.path, shipped], name), { GOAL: 'a goal' });

test('an agent of ralphex’s templates is a reviewer that a sub-agent is given', () => {
  put('prompts/x.md', 'For {{GOAL}}:\n\n{{agent:careful}}\n\n{{ agent:testing }}\n<!-- {{agent:none}} -->\n');
  put('reviewers/careful.md', '---\nmodel: opus\n---\nLook at `{{GOAL}}` twice.\n');
  const text = fill('x');
  expect(text).toMatch(/^For a goal:\n\nLaunch a sub-agent .*\n\n```\nLook at `\{\{GOAL\}\}` twice\.\n```\n/);
  expect(text).toContain('tests');
  expect(text).not.toContain('opus');
});

test('an agent that is no reviewer is named with its line and those there are', () => {
  put('prompts/x.md', '<!-- a\nb -->\nDo it.\n{{agent:nobody}}\n');
  expect(() => readTemplate([own.path, shipped], 'x')).toThrow(
    expect.objectContaining({
      message: `${path.join(own.path, 'prompts/x.md')}:4: there is no reviewer nobody for {{agent:nobody}}`,
      hint: expect.stringContaining('quality'),
    }),
  );
});

describe('files as ralphex has them', () => {
  test('a .txt is read where there is no .md, without the comments before it', () => {
    put('prompts/task.txt', '# a note about {{NOTHING}}\n#\n\nDo {{GOAL}}.\n# stays\n');
    expect(fill('task')).toBe('Do a goal.\n# stays\n');
    put('prompts/task.md', 'As markdown.\n');
    expect(fill('task')).toBe('As markdown.\n');
  });

  test('one of comments alone is as good as none, and so is a pipe', () => {
    put('prompts/steer.txt', '# all\n# of it\n');
    execFileSync('mkfifo', [path.join(own.path, 'prompts/steer.md')]);
    expect(readTemplate([own.path, shipped], 'steer').file).toBe(path.join(shipped, 'prompts/steer.md'));
  });

  test('make_plan is the prompt of planners', () => {
    put('prompts/make_plan.txt', 'Plan it.\n');
    expect(readTemplate([own.path, shipped], 'plan').text).toBe('Plan it.\n');
  });

  test('a reviewer may name a kind of sub-agent', () => {
    put('reviewers/careful.txt', '# note\n---\nmodel: haiku\nagent: code-reviewer\n---\nLook.\n');
    expect(readReviewer([own.path, shipped], 'careful')).toEqual({
      name: 'careful',
      text: 'Look.',
      model: 'haiku',
      subAgent: 'code-reviewer',
    });
    put('prompts/x.md', '{{agent:careful}}\n');
    expect(fill('x')).toContain('Launch a sub-agent of the type code-reviewer for this');
  });

  test('the prompts of its two reviews are the only reviewers of the stages first and final', () => {
    put('prompts/review_second.txt', 'For {{GOAL}}: {{agent:quality}}\n<<<RALPHEX:REVIEW_DONE>>>\n');
    const stages = withStagePrompts(readStages(['first', 'final']), [own.path, shipped]);
    expect(stages.map(({ name, reviewers }) => [name, reviewers.length])).toEqual([
      ['first', 5],
      ['final', 1],
    ]);
    const [, { reviewers: [only = ''] = [] } = {}] = stages;
    expect(readReviewer([own.path, shipped], only).text).toMatch(/^For \{\{GOAL\}\}: Launch a sub-agent/);
  });
});
