// Reads a plan's checks sections.
import type { ListItem, Nodes, RootContent } from 'mdast';
import { defined } from '../defined.ts';
import {
  checksOf,
  commandOfFence,
  commandOfSpan,
  type PlanCommand,
  readCheckName,
  readsAsCommand,
  spanAt,
} from './markdown-commands.ts';
import type { Check, PlanNote } from './plan.ts';
import { noteAt, type Source } from './text-position.ts';

export function readPlanChecks(
  blocks: readonly RootContent[],
  source: Source,
): Readonly<{ checks: readonly Check[]; notes: readonly PlanNote[] }> {
  const found = blocks.flatMap((block) => readBlock(block, source));
  const commands = found.flatMap((item) => ('command' in item ? [item] : []));
  const notes = found.flatMap((item) => ('command' in item ? item.notes : [item]));
  return { checks: checksOf(commands, 'plan', 'plan', source), notes };
}

function readBlock(block: Nodes, source: Source): (PlanCommand | PlanNote)[] {
  switch (block.type) {
    case 'list':
      return firstNoteOf(block.children.flatMap((item) => readItem(item, source)));
    case 'code':
      return [
        commandOfFence(block, source) ?? noCommand(block, 'a code block that is not shell text', source),
      ];
    case 'heading':
    case 'html':
    case 'thematicBreak':
    case 'definition':
      return [];
    default:
      return [noCommand(block, 'text', source)];
  }
}

function readItem(item: ListItem, source: Source): (PlanCommand | PlanNote)[] {
  const [first, ...rest] = item.children;
  const below = rest.flatMap((block) => readBlock(block, source));
  if (first === undefined) return [];
  if (first.type !== 'paragraph') return [...readBlock(first, source), ...below];
  const start = first.children[0]?.position?.start.offset ?? 0;
  const text = source.text.slice(start, first.position?.end.offset);
  const { name, length = 0 } = readCheckName(text) ?? {};
  const span = spanAt(first, start + length + text.length - text.trimStart().length);
  if (span) return [{ ...commandOfSpan(span, first, source), ...defined({ name }) }, ...below];
  // A label above commands needs no remark.
  if (below.some((entry) => 'command' in entry)) return below;
  return [noCommand(first, 'a line that does not begin with a command in backticks', source), ...below];
}

function firstNoteOf(found: readonly (PlanCommand | PlanNote)[]): (PlanCommand | PlanNote)[] {
  const [first, ...more] = found.filter((item) => 'rule' in item);
  const isMore = (item: PlanCommand | PlanNote) => more.some((each) => each === item);
  return found
    .filter((item) => !isMore(item))
    .map((item) =>
      item === first && more.length > 0
        ? { ...first, message: `${first.message} (and ${more.length} more like this)` }
        : item,
    );
}

function noCommand(node: Nodes, what: string, source: Source): PlanNote {
  const offset = node.position?.start.offset ?? 0;
  const [line = ''] = source.text
    .slice(offset, node.position?.end.offset)
    .trim()
    .split(/[\n\r]/);
  const message = readsAsCommand(line)
    ? `\`${line}\` is not written as a command, so it is not a check: put it in backticks, as "- \`${line}\`", or in a fenced \`sh\` block`
    : `${what} in the checks section is not a check: write "- \`command\`" or a fenced \`sh\` block, or move it elsewhere`;
  return noteAt(source, offset, { rule: 'no-command', severity: 'warning', message });
}
