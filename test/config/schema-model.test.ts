import { expect, test } from 'vitest';
import { readModel } from '../../src/config/schema.ts';

test.each<[string | undefined, ReturnType<typeof readModel>]>([
  [undefined, {}],
  ['opus', { model: 'opus' }],
  ['opus:high', { model: 'opus', effort: 'high' }],
  ['sonnet[1m]:low', { model: 'sonnet[1m]', effort: 'low' }],
  [':high', { effort: 'high' }],
  // Ids of Amazon Bedrock.
  ['anthropic.claude-sonnet-4-v1:0', { model: 'anthropic.claude-sonnet-4-v1:0' }],
  ['anthropic.claude-sonnet-4-v1:0:max', { model: 'anthropic.claude-sonnet-4-v1:0', effort: 'max' }],
  [
    'arn:aws:bedrock:eu-west-1:12:inference-profile/a1',
    { model: 'arn:aws:bedrock:eu-west-1:12:inference-profile/a1' },
  ],
])('%s', (wanted, choice) => expect(readModel(wanted)).toEqual(choice));
