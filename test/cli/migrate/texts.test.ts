import { describe, expect, test } from 'vitest';
import { digestText } from '../../../src/cli/migrate/own-texts.ts';
import { translateText } from '../../../src/cli/migrate/texts.ts';

const around = { plansFolder: 'plans', reviewers: new Set(['quality']) };

describe('a text of ralphex becomes', () => {
  test.each([
    ['prompts/task', '# note\n\nDo {{PLAN_FILE}}.\r\n', 'taken', 'prompts/task.md', 'Do {{PLAN_FILE}}.\n'],
    [
      'prompts/task',
      'In {{PLANS_DIR}}: {{ TICKET }} {{agent:quality}}',
      'changed',
      'prompts/task.md',
      'In plans: {TICKET} {{agent:quality}}\n',
    ],
    [
      'prompts/make_plan',
      '{{PLAN_DESCRIPTION}} {{PLANS_DIR}}',
      'taken',
      'prompts/make_plan.md',
      '{{PLAN_DESCRIPTION}} {{PLANS_DIR}}\n',
    ],
    ['prompts/review_first', '{{agent:nobody}}', 'changed', 'prompts/review_first.md', '{agent:nobody}\n'],
    [
      'prompts/custom_review',
      '{{DIFF_INSTRUCTION}}{{PREVIOUS_REVIEW_CONTEXT}}',
      'changed',
      'reviewers/external.md',
      'git diff {{DEFAULT_BRANCH}}...HEAD\n',
    ],
    ['prompts/codex', 'Judge {{CODEX_OUTPUT}}.', 'not needed', undefined, undefined],
    ['prompts/task', '# nothing\n  # but notes\n', 'not needed', undefined, undefined],
    ['prompts/mine', 'x', 'no counterpart', undefined, undefined],
    [
      'agents/go',
      '# note\n---\nmodel: opus\nagent: go-expert\n---\nLook.',
      'taken',
      'reviewers/go.md',
      '---\nmodel: opus\nagent: go-expert\n---\nLook.\n',
    ],
    ['agents/go', '---\nmodel: ""\ncolour: red\n---\nLook.', 'changed', 'reviewers/go.md', 'Look.\n'],
    ['agents/go', '---\n: [\n---\nLook.', 'taken', 'reviewers/go.md', '---\n: [\n---\nLook.\n'],
    ['agents/go', '# Title\nLook.', 'taken', 'reviewers/go.md', '# Title\nLook.\n'],
    ['agents/My Agent', 'Look.', 'no counterpart', undefined, undefined],
  ] as const)('%s %j', (name, text, fate, file, written) => {
    expect(translateText({ name, text }, around)).toMatchObject({
      fate,
      ...(file && { file, text: written }),
    });
    if (!file) expect(translateText({ name, text }, around)).not.toHaveProperty('file');
  });
});

test('line ends and the comments before a text do not make another text of it', () => {
  expect(digestText('# a\n#b\n\nLook.\nWell.\n')).toBe(digestText('Look.\r\nWell.'));
  expect(digestText('Look.')).not.toBe(digestText('Look!'));
});
