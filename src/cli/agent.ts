// `pawl agent check NAME`: tries an agent with a few short prompts in a throw-away repository, and shows what was seen.

import { adapterOf, installerOf, programOf, shippedAgent } from '../agent/agents.ts';
import { agentNames } from '../config/agent-name.ts';
import type { Config } from '../config/schema.ts';
import { formatUsd } from '../dollars.ts';
import { Failure } from '../failure.ts';
import { addTokens } from '../journal/ledger.ts';
import { nearest } from '../nearest.ts';
import { type Conformance, type Trial, tryAgent } from '../start/agent-check/conformance.ts';
import { makeRoom } from '../start/agent-check/room.ts';
import { agentLocationOf, judgeAgentStarts, withAgent } from '../start/agent-start.ts';
import { type CliContext, paint, print, printNote } from '../start/context.ts';
import { loadSettings } from '../start/load-settings.ts';
import type { Command } from './command.ts';

/** Options of `pawl agent`. */
export type AgentOptions = Readonly<{ json?: boolean }>;

/** Tries it; exit 1 if something that pawl relies on was not seen. */
export const checkAgent: Command<AgentOptions> = async (context, [, name = ''], { json = false }) => {
  const config = readConfig(context, name);
  const refusal = judgeAgentStarts(context, config, [config.agent.name]);
  if (refusal) throw refusal;
  const agent = shippedAgent(config, agentLocationOf(context, config));
  printNote(context, formatPrice(config));
  await using room = await makeRoom(context);
  const wrongLogin = findWrongLogin(context, config);
  const found = await tryAgent({ agent, room, signal: context.signal, wrongLogin });
  context.signal.throwIfAborted();
  const lacking = found.trials.filter(({ seen, isNeeded }) => isNeeded && seen !== 'yes');
  print(context, json ? formatJson(name, found) : formatTable(context, name, found));
  return lacking.length === 0 ? 0 : 1;
};

function readConfig(context: CliContext, name: string): Config {
  const known = agentNames.find((each) => each === name);
  if (!known) {
    const meant = nearest(name, agentNames);
    throw new Failure('usage', `there is no agent ${name}${meant ? `; did you mean ${meant}?` : ''}`, {
      hint: `There are ${agentNames.join(', ')}. Any other program that speaks ACP is the agent acp: agents: { acp: { command: … } }.`,
    });
  }
  const { config } = loadSettings(context);
  // The agent is tried, not a sandbox.
  return withAgent({ ...config, sandbox: { ...config.sandbox, kind: 'none' } }, known);
}

function formatPrice(config: Config): string {
  const { name } = config.agent;
  const version = installerOf(name) === undefined ? programOf(config) : name;
  return `This starts ${version} up to 5 times on this machine, with five short prompts in a throw-away repository. If you pay for tokens, it costs a few cents at most. It takes a few minutes at most.`;
}

/** Keys that a login consists of, replaced by invalid ones. */
function findWrongLogin(
  { env }: CliContext,
  { agent }: Config,
): Readonly<Record<string, string>> | undefined {
  const { variables } = adapterOf(agent.name);
  const keys = Object.keys(env).filter(
    (key) => variables?.test(key) && /_(API_KEY|TOKEN)$/.test(key) && env[key],
  );
  return keys.length === 0
    ? undefined
    : Object.fromEntries(keys.map((key) => [key, 'wrong-login-of-pawl-agent-check']));
}

const names: Readonly<Record<Trial['name'], string>> = {
  answers: 'answers',
  writes: 'writes a file with a tool',
  corrected: 'takes a correction in the same process',
  usage: 'reports its usage',
  cancelled: 'is cancelled in the middle of a command',
  resumes: 'resumes its conversation',
  refused: 'fails as refused with a wrong login',
};

const colours = { yes: 'green', no: 'red', 'not tried': 'yellow' } as const;

function formatTable(context: CliContext, name: string, found: Conformance): string {
  const rows = found.trials.map(({ name: trial, seen, isNeeded, says }) => {
    const isFine = seen === 'no' && !isNeeded;
    return `${paint(context, isFine ? 'yellow' : colours[seen], seen.padEnd(9))}  ${names[trial].padEnd(39)}  ${says}`;
  });
  const lacking = found.trials.filter(({ seen, isNeeded }) => isNeeded && seen !== 'yes').length;
  const end =
    lacking === 0
      ? `${name} does everything pawl relies on.`
      : `pawl relies on ${lacking === 1 ? 'one thing' : `${lacking} things`} that ${name} did not do.`;
  return [...rows, `Spent: ${formatSpent(found)}.`, end].join('\n');
}

function sumOf({ sessions }: Conformance) {
  const costs = sessions.flatMap(({ costUsd }) => costUsd ?? []);
  const tokens = sessions.flatMap((session) => session.tokens ?? []);
  return {
    ...(costs.length === 0 ? {} : { costUsd: costs.reduce((a, b) => a + b, 0) }),
    ...(tokens.length === 0 ? {} : { tokens: tokens.reduce(addTokens) }),
  };
}

function formatSpent(found: Conformance): string {
  const { costUsd, tokens } = sumOf(found);
  const told = [
    ...(costUsd === undefined ? [] : [formatUsd(costUsd)]),
    ...(tokens ? [`${tokens.input} tokens in and ${tokens.output} out`] : []),
  ];
  return told.length === 0 ? 'unknown, because it reports neither tokens nor cost' : told.join(', ');
}

function formatJson(name: string, found: Conformance): string {
  return JSON.stringify({ agent: name, trials: found.trials, ...sumOf(found) }, undefined, 2);
}
