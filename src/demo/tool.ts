// The scripted agent's tools: Bash, Write, Agent and StructuredOutput, announced and answered as Claude Code does.
// Commands and files are real; a sub-agent is more of the script.
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fillIn } from './choose-turn.ts';
import { runCommand } from './command.ts';
import type { Step } from './script.ts';
import { endAborted, type Stage } from './stage.ts';
import * as stream from './stream.ts';

type ToolStep = Extract<
  Step,
  { bash: string } | { write: unknown } | { subagent: unknown } | { answer: unknown }
>;

/** Where a call stands: its reply, the count of tool results, the sub-agent that makes it, and how a part of the script is played. */
type Place = Readonly<{
  reply: stream.Reply;
  count: { turns: number };
  parent: stream.Parent | undefined;
  playPart(steps: readonly Step[], parent: stream.Parent): Promise<string>;
}>;

/** Makes one tool call: prints the call, does it, prints its result. */
export async function callTool(stage: Stage, step: ToolStep, place: Place): Promise<void> {
  const id = `toolu_${randomBytes(11).toString('hex')}`;
  const { name, input } = describeCall(stage, step);
  const block = { type: 'tool_use', id, name, input };
  stage.print(stream.assistantLine(stage.session, place.reply, block));
  if (place.parent === undefined) place.count.turns += 1;
  const end = await run(stage, step, { ...place, id });
  stage.print(stream.toolResultLine(stage.session, id, end, place.parent));
  if (stage.signal.aborted) endAborted(stage, 'tools');
}

function describeCall(stage: Stage, step: ToolStep): { name: string; input: Record<string, unknown> } {
  if ('bash' in step) return { name: 'Bash', input: { command: fillIn(step.bash, stage.nonce) } };
  if ('write' in step) {
    const file = path.resolve(stage.session.cwd, step.write.file);
    return { name: 'Write', input: { file_path: file, content: fillIn(step.write.content, stage.nonce) } };
  }
  if ('subagent' in step) {
    const input = { description: 'Scripted part', prompt: 'Play your part of the script.' };
    return { name: 'Agent', input: { ...input, subagent_type: 'general-purpose' } };
  }
  return { name: 'StructuredOutput', input: step.answer as Record<string, unknown> };
}

async function run(stage: Stage, step: ToolStep, place: Place & { id: string }): Promise<stream.ToolEnd> {
  if ('bash' in step) return await runBash(stage, step, place);
  if ('write' in step) return writeStep(stage, step.write);
  if ('subagent' in step) return await runSubagent(stage, step.subagent, place);
  return { content: 'Structured output provided successfully' };
}

async function runBash(
  stage: Stage,
  step: Extract<Step, { bash: string }>,
  place: Place & { id: string },
): Promise<stream.ToolEnd> {
  if (step.background) throw new Error('the scripted agent runs no background commands; the real CLI does');
  const { session, signal } = stage;
  const timeoutMs = step.timeoutMs ?? stage.commandTimeoutMs;
  const command = fillIn(step.bash, stage.nonce);
  const stopNotices = noticeLongRun(stage, place.id, command);
  try {
    const end = await runCommand(command, { cwd: session.cwd, sessionId: session.id, timeoutMs, signal });
    const output = end.output.replace(/\n$/, '');
    if (end.stopped && signal.reason !== 'terminate') {
      const content = "The user doesn't want to proceed with this tool use. The tool use was rejected";
      return { content, isError: true, result: 'User rejected tool use', stopped: true };
    }
    if (end.code !== 0) {
      const timeout = end.timedOut ? `Command timed out after ${Math.round(timeoutMs / 1000)}s` : '';
      const content = [`Exit code ${end.code}`, timeout, output].filter((line) => line !== '').join('\n');
      return { content, isError: true, result: `Error: ${content}` };
    }
    const result = { stdout: output, stderr: '', interrupted: false, isImage: false };
    return {
      content: output === '' ? '(Bash completed with no output)' : output,
      isError: false,
      result: { ...result, noOutputExpected: output === '' },
    };
  } finally {
    stopNotices();
  }
}

/** What the CLI shows of a long command: `task_started` after 3 s, a heartbeat every 30 s, a notification at its end. */
function noticeLongRun(stage: Stage, toolUseId: string, description: string): () => void {
  const { session, print } = stage;
  const task = { task_id: `b${toolUseId.slice(-8)}`, tool_use_id: toolUseId };
  let isShown = false;
  let beats = 0;
  const start = setTimeout(() => {
    isShown = true;
    const fields = { ...task, description, is_backgrounded: false, task_type: 'local_bash' };
    print(stream.systemLine(session, 'task_started', fields));
  }, 3_000);
  const beat = setInterval(() => {
    print(stream.heartbeatLine(session, toolUseId, beats));
    beats += 1;
  }, 30_000);
  return () => {
    clearTimeout(start);
    clearInterval(beat);
    if (!isShown) return;
    const fields = { ...task, status: 'completed', output_file: '', summary: description };
    print(stream.systemLine(session, 'task_notification', fields));
  };
}

function writeStep(stage: Stage, given: { file: string; content: string }): stream.ToolEnd {
  const filePath = path.resolve(stage.session.cwd, given.file);
  const content = fillIn(given.content, stage.nonce);
  try {
    mkdirSync(path.dirname(filePath), { recursive: true });
    writeFileSync(filePath, content);
  } catch (error) {
    return { content: String(error), isError: true };
  }
  const result = { type: 'create', filePath, content, structuredPatch: [], originalFile: null };
  return { content: `File created successfully at: ${filePath}`, result: { ...result, userModified: false } };
}

async function runSubagent(
  stage: Stage,
  part: string | readonly Step[],
  place: Place & { id: string },
): Promise<stream.ToolEnd> {
  const { session } = stage;
  const agentId = `a${randomBytes(8).toString('hex')}`;
  const parent = { toolUseId: place.id, agentId, description: 'Scripted part' };
  const task = { task_id: agentId, tool_use_id: place.id };
  const prompt = 'Play your part of the script.';
  const fields = {
    description: parent.description,
    subagent_type: 'general-purpose',
    is_backgrounded: false,
  };
  const started = { ...task, ...fields, spawn_depth: 1, task_type: 'local_agent', prompt };
  stage.print(stream.systemLine(session, 'task_started', started));
  stage.print(stream.userTextLine(session, prompt, { parent }));
  const steps = typeof part === 'string' ? [{ say: part }] : part;
  const text = await place.playPart(steps, parent);
  const ended = { ...task, status: 'completed', output_file: '', summary: text };
  stage.print(stream.systemLine(session, 'task_notification', ended));
  const report = `[Subagent hand-back] The report follows:\n  ${text}\nagentId: ${agentId}`;
  return {
    content: [{ type: 'text', text: report }],
    result: { status: 'completed', prompt, agentId, content: [{ type: 'text', text }] },
  };
}
