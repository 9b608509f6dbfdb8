// Problems that no single setting shows.
import { agentNamesOf, commandKey, shippedNameOf } from '../agent-name.ts';
import { Failure } from '../failure.ts';
import type { LayerSetting, Origin, Problem } from './layer.ts';
import type { Config } from './schema.ts';
import { readStages } from './stages.ts';

export function judgeTogether(config: Config, settings: ReadonlyMap<string, LayerSetting>): Problem[] {
  const originOf = (key: string): Origin => settings.get(key)?.origin ?? { layer: 'default' };
  const { name, fallback } = config.agent;
  const stages = config.review.stages.flatMap((stage) =>
    typeof stage === 'string' ? [] : (stage.agent ?? []),
  );
  const named = { 'agent.name': [name], 'agent.fallback': fallback, 'review.stages': stages };
  const unknown = Object.entries(named).flatMap(([key, names]) =>
    names.flatMap((each) => judgeAgentName(config, { key, name: each, origin: originOf(key) })),
  );
  if (unknown.length > 0) return unknown;
  const shipped = shippedNameOf(config);
  const text = `agent.name ${name} needs ${commandKey(shipped)}, the program to run`;
  return [
    ...(config.agent[shipped].command === undefined ? [{ origin: originOf('agent.name'), text }] : []),
    ...judgeStages(config, originOf('review.stages')),
  ];
}

function judgeAgentName(
  config: Config,
  { key, name, origin }: Readonly<{ key: string; name: string; origin: Origin }>,
): Problem[] {
  const names = agentNamesOf(config);
  if (names.includes(name)) return [];
  return [{ origin, text: `${key}: there is no agent ${name}. There are ${names.join(', ')}` }];
}

function judgeStages({ review: { stages } }: Config, origin: Origin): Problem[] {
  try {
    readStages(stages);
    return [];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [{ origin, text: error.hint === undefined ? error.message : `${error.message}. ${error.hint}` }];
  }
}
