// What ralphex’s review settings become: together they are pawl’s `review.stages` and `finalize`. Pure.
import { changed, isTrue, notNeeded, type Rule, taken, type Values } from './translated.ts';

const partOfStages: Rule = (_, all) => taken({ 'review.stages': reviewStages(all) });

/** By key. */
export const reviewRules: Readonly<Record<string, Rule>> = {
  codex_enabled: partOfStages,
  external_review_tool: partOfStages,
  custom_review_script: (_, all) =>
    toolOf(all) === 'custom'
      ? taken({ 'review.stages': reviewStages(all) })
      : notNeeded('external_review_tool is not custom, so ralphex does not use it'),
  max_external_iterations: (_, all) =>
    toolOf(all) === 'none'
      ? notNeeded('there is no external review')
      : taken({ 'review.stages': reviewStages(all) }),
  review_patience: () => notNeeded('a stage ends when the fixer rejects what is left, and says so'),
  finalize_enabled: (value, all) =>
    !isTrue(value)
      ? notNeeded('it is the default')
      : all.get('prompts/finalize') === undefined
        ? changed(
            { 'finalize.squash': true },
            'ralphex also rebases; pawl makes one commit of the run’s commits, on the same base',
          )
        : taken(
            { 'finalize.prompt': 'Do what is said above.' },
            'the text of prompts/finalize.txt comes before it',
          ),
};

/** The stages that ralphex goes through: it always reviews, and if codex does the work no other agent looks at it. */
export function reviewStages(all: Values): readonly unknown[] {
  const tool = toolOf(all);
  if (tool === 'none') return ['first', 'final'];
  const rounds = Number(all.get('max_external_iterations') ?? 0);
  const bound = rounds > 0 ? { rounds } : {};
  const script = all.get('custom_review_script')?.replace(/^~(?=\/)/, all.home);
  if (tool === 'custom') return ['first', { name: 'external', script, ...bound }, 'final'];
  const external = { name: 'external', reviewers: ['external'], agent: 'codex', optional: true, ...bound };
  return ['first', rounds > 0 ? external : 'external', 'final'];
}

function toolOf(all: Values): 'codex' | 'custom' | 'none' {
  if (all.get('executor') === 'codex' || all.get('codex_enabled') === 'false') return 'none';
  const tool = all.get('external_review_tool') ?? 'codex';
  if (tool === 'custom') return all.get('custom_review_script') ? 'custom' : 'none';
  return tool === 'none' ? 'none' : 'codex';
}
