// Rules about commands: white space that hides one or is part of it, no program to run, green before the work.
import { attributeWords, readKey } from '../attributes.ts';
import { readHeading } from '../headings.ts';
import { isClosed, type Plan, type PlanNote, type TextPosition } from '../plan.ts';
import { sourceOf } from '../text-position.ts';
import { type LintOptions, type LintRule, type Remark, ruleOf, rulesOf } from './rule.ts';

export const commandRules: readonly LintRule[] = [
  rulesOf(hiddenParts),
  rulesOf(oddCommands),
  ruleOf('vacuous-check', 'warning', vacuous),
  ruleOf('no-program', 'warning', withoutProgram),
];

function vacuous({ tasks }: Plan, { green = new Set() }: LintOptions): readonly Remark[] {
  return tasks
    .filter((task) => !isClosed(task))
    .flatMap(({ checks }) => checks)
    .filter(({ id }) => green.has(id))
    .map(({ command, place }) => ({
      message: `\`${command}\` is green before the work, so it proves nothing: choose one that is red until the task is done`,
      place,
    }));
}

/** Unless a task may still provide what is missing. */
function withoutProgram(_: Plan, { missing = [], where = 'in PATH' }: LintOptions): readonly Remark[] {
  return missing
    .filter(({ check, isBrought }) => !isBrought && check.scope !== 'config')
    .map(({ check: { command, place }, program, says }) => {
      const [line = ''] = command.trim().split('\n');
      const why =
        says === undefined ? `there is no ${program} ${where}; install it there` : `${says}; correct it`;
      return {
        message: `\`${line}\` cannot run: ${why}, or mention it in an earlier task that adds it`,
        place,
      };
    });
}

/** Invisible too, but part of an emoji. */
const ofEmoji = /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F|[#*\d])(?:\uFE0F|\u200D|\u20E3)/gu;
/** No blank to markdown or a shell. */
const odd = /[^\S \t\n\r]|\p{Default_Ignorable_Code_Point}/gu;
const ignorable = /\p{Default_Ignorable_Code_Point}/gu;

function asSeen(text: string): string {
  return text.replace(ofEmoji, '').replace(ignorable, '').replace(odd, ' ');
}

/** As `U+00A0`. */
function firstOdd(text: string): string | undefined {
  const code = text.replace(ofEmoji, '').match(odd)?.[0]?.codePointAt(0);
  return code === undefined ? undefined : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Lines outside of fences that are a heading, item or attribute only to the eye. */
function hiddenParts({ text }: Plan): readonly PlanNote[] {
  const { placeAt } = sourceOf(text);
  let isFenced = false;
  return [...text.replace(/^\uFEFF/, ' ').matchAll(/[^\n\r]+/g)].flatMap(({ 0: line, index }) => {
    if (/^\s*(?:`{3}|~{3})/.test(line)) isFenced = !isFenced;
    const name = firstOdd(line);
    const seen = asSeen(line);
    if (isFenced || name === undefined || isPart(line) || !isPart(seen)) return [];
    const message = `there is ${name} in \`${seen.trim()}\`, which looks like a blank or like nothing, but hides it from every parser: type it anew`;
    return [{ rule: 'odd-space', severity: 'error' as const, message, place: placeAt(index) }];
  });
}

function isPart(line: string): boolean {
  const [, marks, title = ''] = /^ {0,3}(#{1,6})[ \t]+(.*)$/.exec(line) ?? [];
  if (marks !== undefined) return readHeading(title.trim(), marks.length, true).kind !== 'other';
  const [, marker, rest = ''] = /^[ \t]*((?:[-+*]|\d{1,9}[.)])[ \t]+)?(.*)$/.exec(line) ?? [];
  const key = readKey(rest)?.spelled.toLowerCase();
  return (marker !== undefined && rest.startsWith('`')) || (key !== undefined && attributeWords.has(key));
}

function oddCommands(plan: Plan, { checks: configured = [] }: LintOptions): readonly PlanNote[] {
  const start = { line: 1, column: 1, offset: 0 };
  const inPlan = [...plan.checks, ...plan.tasks.flatMap(({ checks }) => checks)];
  return [
    ...inPlan.flatMap(({ command, place }) => oddNote('the command', command, place)),
    ...(plan.checks.length > 0 ? [] : configured).flatMap((command) =>
      oddNote('in the setting `checks`, the command', command, start),
    ),
  ];
}

/** In quotes it may be meant. */
function oddNote(what: string, command: string, place: TextPosition): readonly PlanNote[] {
  const name = firstOdd(command);
  if (name === undefined) return [];
  const isMeant = firstOdd(command.replace(/'[^']*'|"[^"]*"/g, '')) === undefined;
  const message = `${what} \`${asSeen(command)}\` has ${name}, which looks like a blank or like nothing, and which a shell takes for a letter: type it anew`;
  return [{ rule: 'odd-space', severity: isMeant ? 'warning' : 'error', message, place }];
}
