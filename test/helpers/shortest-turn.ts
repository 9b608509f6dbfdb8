// What Claude Code prints in its shortest turn, for agents that are made of bash: they fill in what only a prompt tells.
import { resultLine } from '../fixtures/agents/scripted/result.ts';
import { charge, newSession } from '../fixtures/agents/scripted/session.ts';
import { assistantLine, initLine, stateLine } from '../fixtures/agents/scripted/stream.ts';

/** The lines up to the work, and those after it, which say the text; `more` is laid over the result. */
export function shortestTurn(text: string, more: object = {}): readonly [opening: string, ending: string] {
  const session = newSession({
    id: crypto.randomUUID(),
    cwd: '/',
    model: 'lean',
    permissionMode: 'bypassPermissions',
  });
  charge(session);
  const result = resultLine(session, { kind: 'completed', text });
  // Claude Code's own agents of bash write what they write by a command.
  const call = { type: 'tool_use', id: 'call', name: 'Bash', input: { command: 'work' } };
  const opening = [stateLine('running'), initLine(session), assistantLine(session, call)];
  const ending = [assistantLine(session, { type: 'text', text }), { ...result, ...more }, stateLine('idle')];
  const join = (lines: readonly object[]) => lines.map((line) => JSON.stringify(line)).join('\n');
  return [join(opening), join(ending)];
}
