// Fills the user's own prompts with sample values, by the functions of a run.
import type { FactOf } from '../event.ts';
import type { Plan, Task } from '../plan/plan.ts';
import { replanPrompt, sayingPrompt, startPrompt } from './dialogue-prompts.ts';
import { type Library, readTemplate } from './library.ts';
import { correctionPrompt, steerPrompt, taskPrompt } from './prompts.ts';
import { finalizePrompt, fixPrompt, reviewPrompt } from './review-prompts.ts';
import { fillTemplate, type Template } from './template.ts';

export type Purpose = 'task' | 'review' | 'finalize' | 'replan' | 'plan';

type Fill = (template: Template) => string;

const task: Task = {
  id: '1',
  title: '',
  source: '',
  steps: [],
  checks: [],
  criteria: [],
} as unknown as Task;
const plan = { title: '', overview: '', tasks: [task], checks: [] } as unknown as Plan;
const said = { root: '', plan, checks: [], evidence: '', guide: '', lessons: [], notes: [], nonce: '' };
const ralphex = { planFile: '', progressFile: '', defaultBranch: '', plansFolder: '' };
const persona = { name: '', text: '' };

const fillTask: Fill = (template) =>
  taskPrompt(template, { ...said, ...ralphex, task, closed: new Set(), mayReplan: false });
const correct: Fill = (template) => correctionPrompt(template, { task, evidence: '', nonce: '' });
const say =
  (fact: object): Fill =>
  (template) =>
    sayingPrompt(template, fact as FactOf<'dialogue-judged'>, { words: [], nonce: '' });

const working: Readonly<Record<string, Fill>> = {
  'correction-answers': correct,
  'correction-finished': correct,
  'correction-ignored': correct,
  'correction-nothing-changed': correct,
  'correction-red': correct,
  'correction-conflict': correct,
  'correction-runner': correct,
  steer: (template) => steerPrompt(template, { task, notes: [], nonce: '' }),
};

export const purposes: Readonly<Record<Purpose, Readonly<Record<string, Fill>>>> = {
  task: { task: fillTask, 'task-continue': fillTask, ...working },
  review: {
    review: (template) =>
      reviewPrompt(template, {
        ...said,
        ...ralphex,
        persona,
        reviewer: 'quality',
        goal: '',
        base: '',
        diff: '',
        tamper: [],
        rejected: [],
        bySchema: false,
      }),
    'review-again': (template) => fillTemplate(template, { PROBLEM: '' }),
    fix: (template) => fixPrompt(template, { ...said, ...ralphex, findings: [] }),
    ...working,
  },
  finalize: {
    finalize: (template) => finalizePrompt(template, { ...said, ...ralphex, prompt: '', base: '' }),
    ...working,
  },
  replan: {
    replan: (template) => replanPrompt(template, { ...said, closed: new Set(), why: '', refused: [] }),
    'replan-again': (template) => fillTemplate(template, { PROBLEM: '', NONCE: '' }),
  },
  plan: {
    plan: (template) => startPrompt(template, { ...said, ...ralphex, request: '', dialogue: '' }),
    'plan-answer': say({ type: 'dialogue', state: 'answered', answer: '' }),
    'plan-again': say({ type: 'dialogue', state: 'corrected', problem: '' }),
    'plan-comment': say({ type: 'dialogue', state: 'judged', draft: 1 }),
  },
};

/** Throws the first mistake in a prompt that serves one of these purposes. */
export function tryTemplates(library: Library, wanted: readonly Purpose[]): void {
  for (const purpose of wanted)
    for (const [name, fill] of Object.entries(purposes[purpose])) fill(readTemplate(library, name));
}
