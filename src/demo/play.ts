// Plays one turn of the demo's script as Claude Code would show it.
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { DemoStep } from './demo-script.ts';

export type DemoStage = Readonly<{
  cwd: string;
  /** Interrupts the turn. */
  signal: AbortSignal;
  /** Of the marker protocol; absent before a message has shown one. */
  nonce: string | undefined;
  hasSchema: boolean;
  print(line: object): void;
  /** For each reply that begins. */
  charge(): void;
}>;

/** Its last words, and its answer by schema. */
export type Played = Readonly<{ text: string; structured?: unknown }>;

/** Rejects if interrupted. */
export async function playSteps(stage: DemoStage, steps: readonly DemoStep[]): Promise<Played> {
  let text = '';
  stage.charge();
  for (const [at, step] of steps.entries()) {
    stage.signal.throwIfAborted();
    if ('think' in step) await pause(step.think, undefined, { signal: stage.signal });
    else if ('say' in step) {
      text = fillIn(step.say, stage.nonce);
      say(stage, { type: 'text', text });
    } else if ('answer' in step) {
      text = JSON.stringify(step.answer);
      if (!stage.hasSchema) say(stage, { type: 'text', text });
      return stage.hasSchema ? { text, structured: step.answer } : { text };
    } else {
      text = '';
      await callTool(stage, step, at);
      stage.charge();
    }
  }
  return { text };
}

async function callTool(
  stage: DemoStage,
  step: Extract<DemoStep, { bash: string } | { write: unknown }>,
  at: number,
): Promise<void> {
  const id = `toolu_${Date.now()}_${at}`;
  if ('bash' in step) {
    say(stage, { type: 'tool_use', id, name: 'Bash', input: { command: step.bash } });
    const { isError, output } = await runCommand(stage, step.bash);
    return endTool(stage, id, { content: output, isError });
  }
  const file = path.resolve(stage.cwd, step.write.file);
  say(stage, {
    type: 'tool_use',
    id,
    name: 'Write',
    input: { file_path: file, content: step.write.content },
  });
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, step.write.content);
  endTool(stage, id, { content: `File created successfully at: ${file}`, isError: false });
}

function runCommand(
  { cwd, signal }: DemoStage,
  command: string,
): Promise<Readonly<{ isError: boolean; output: string }>> {
  return new Promise((resolve) => {
    execFile('bash', ['-c', command], { cwd, signal }, (error, stdout, stderr) =>
      resolve({ isError: error !== null, output: `${stdout}${stderr}` }),
    );
  });
}

function say(stage: DemoStage, block: object): void {
  stage.print({
    type: 'assistant',
    message: { role: 'assistant', content: [block] },
    parent_tool_use_id: null,
  });
}

function endTool(
  stage: DemoStage,
  id: string,
  { content, isError }: Readonly<{ content: string; isError: boolean }>,
): void {
  const block = { type: 'tool_result', tool_use_id: id, content, is_error: isError };
  stage.print({ type: 'user', message: { role: 'user', content: [block] }, parent_tool_use_id: null });
}

/** Replaces `{{marker NAME text}}` by the marker's line; without a nonce, by one that does not count. */
function fillIn(text: string, nonce: string | undefined): string {
  const tail = nonce === undefined ? '' : ` ${nonce}`;
  return text.replace(
    /\{\{marker ([A-Z_]+) (.*?)\}\}/g,
    (_, name: string, rest: string) => `<<<PAWL:${name}${tail}>>> ${rest}`,
  );
}
