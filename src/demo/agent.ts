// The scripted agent: a program that behaves like `claude -p` on stdin, stdout and signals, and plays a script in
// place of a model. It reaches no network; commands and files of the script are real.
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { Conversation } from './conversation.ts';
import { readOptions } from './options.ts';
import { agentVersion } from './stream.ts';

async function start(): Promise<void> {
  if (process.argv.includes('--version') || process.argv.includes('-v')) {
    process.stdout.write(`${agentVersion}\n`);
    return;
  }
  process.stdout.on('error', () => process.exit(1));
  const options = readOptions(process.argv.slice(2), process.env);
  const conversation = new Conversation(options);
  if (options.input === 'stream-json') {
    const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
    lines.on('line', (line) => conversation.hearLine(line));
    lines.on('close', () => conversation.close());
    return;
  }
  const prompt = [options.prompt, process.stdin.isTTY ? '' : await text(process.stdin)]
    .filter((part) => part !== '')
    .join('\n');
  if (prompt.trim() === '')
    throw new Error('Input must be provided either through stdin or as a prompt argument');
  conversation.hearMessage(prompt);
  conversation.close();
}

await start().catch((error: unknown) => {
  process.stderr.write(`scripted agent: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
