// The review's stages: names of shipped ones, or definitions.
import { z } from 'zod';
import { defined } from '../defined.ts';
import { Failure } from '../failure.ts';
import { nearest } from '../nearest.ts';
import { runs } from './form.ts';
import { meanings } from './meanings.ts';

const word = z.string().regex(/^[a-z0-9][a-z0-9-]*$/, 'must be lower-case letters, digits and dashes');

const definedSchema = z.strictObject({
  name: word.refine((name) => name !== 'ci' && name !== 'comments', 'is the stage of what a forge says'),
  /** In `templates/reviewers/`. */
  reviewers: z.array(word).min(1).optional(),
  /** Absent: the configured one. */
  agent: z.string().min(1).optional(),
  /** The stage's only reviewer: a program that gets the prompt on stdin and as a file, its first argument. */
  script: z.string().min(1).optional(),
  /** model[:effort]; absent: the role’s. */
  model: z.string().min(1).optional(),
  /** Skipped if its agent is missing; its end never changes the exit code. */
  optional: z.boolean().optional(),
  minSeverity: z
    .never('was removed: what a proof confirms is fixed from minor on, an opinion from major on')
    .optional(),
  rounds: z.int().min(1).optional(),
});

const stageSchema = z.union([word, definedSchema]);

/** If none are configured; also of `pawl review`. */
export const usualStages = ['first', 'final'] as const;

export const reviewSchema = z.strictObject({
  stages: runs(z.array(stageSchema).describe(meanings['review.stages'].says)).prefault([...usualStages]),
});

type Defined = z.infer<typeof definedSchema>;

/** As people write them. */
export type StageSettings = readonly (string | Defined)[];

export type Stage = Readonly<ReturnType<typeof complete>>;

const shipped: Readonly<Record<string, Defined>> = {
  first: {
    name: 'first',
    reviewers: ['quality', 'implementation', 'testing', 'simplification', 'documentation'],
  },
  external: { name: 'external', reviewers: ['external'], agent: 'codex', optional: true },
  final: { name: 'final', reviewers: ['quality', 'implementation'] },
};

/**
 * Replaces names by their first definition: a flag or plan names what the settings define. `none` alone is no stage.
 */
export function fillNamed(stages: StageSettings, defined: StageSettings): StageSettings {
  if (stages.length === 1 && stages[0] === 'none') return [];
  const definitions = defined.filter((one) => typeof one !== 'string');
  return stages.map((one) => definitions.find(({ name }) => name === one) ?? one);
}

/** A mistake throws Failure('config'). */
export function readStages(configured: StageSettings): readonly Stage[] {
  const stages = configured.map((one) => complete(typeof one === 'string' ? shippedStage(one) : one));
  const twice = stages.find(({ name }, at) => stages.findIndex((other) => other.name === name) !== at);
  if (twice)
    throw new Failure('config', `there are two review stages ${twice.name}`, { hint: 'Rename one of them.' });
  return stages;
}

/** In the order of `names`; shipped ones too that are not configured. */
export function pickStages(stages: readonly Stage[], names: readonly string[]): readonly Stage[] {
  return names.map((name) => stages.find((one) => one.name === name) ?? complete(shippedStage(name, stages)));
}

function shippedStage(name: string, own: readonly Stage[] = []): Defined {
  const found = shipped[name];
  if (found) return found;
  const names = [...new Set([...own.map((stage) => stage.name), ...Object.keys(shipped)])];
  const meant = nearest(name, names);
  throw new Failure('config', `there is no review stage ${name}`, {
    hint: `${meant ? `Did you mean ${meant}? ` : ''}There are ${names.join(', ')}.`,
  });
}

function complete(stage: Defined) {
  const { name, script } = stage;
  const named = stage.reviewers ?? (script === undefined ? [] : ['script']);
  const reviewers: readonly string[] = [...new Set(named)];
  if (reviewers.length === 0)
    throw new Failure('config', `the review stage ${name} has no reviewers`, {
      hint: 'Name reviewers, e.g. reviewers: [quality, testing], or a script.',
    });
  return {
    name,
    reviewers,
    ...defined({ script, agent: stage.agent, model: stage.model }),
    optional: stage.optional ?? false,
    rounds: stage.rounds ?? 5,
  };
}

/**
 * About how many sessions. `quiet`: nobody finds anything, and nobody is asked twice about one commit; `withFixes`: in
 * each stage one reviewer does, and looks at the fix again, in the last stage all.
 */
export function estimateSessions(
  stages: readonly Pick<Stage, 'reviewers' | 'agent' | 'model' | 'script'>[],
): Readonly<{ quiet: number; withFixes: number }> {
  const all = stages.flatMap(({ reviewers, agent, model, script }) =>
    reviewers.map((reviewer) => JSON.stringify([reviewer, agent, model, script])),
  );
  const last = stages.at(-1)?.reviewers.length ?? 0;
  const again = stages.length === 0 ? 0 : stages.length - 1 + last;
  return { quiet: new Set(all).size, withFixes: all.length + stages.length + again };
}
