// Facts about a run's pull or merge request, and what CI and people say about it.
import { z } from 'zod';

/** What CI came to: `fixing`: what is red is given to a session; the others are ends. */
export const ciStateSchema = z.enum(['fixing', 'green', 'flaky', 'red', 'none', 'gave-up']);

export const forgeFacts = [
  z.object({
    type: z.literal('request'),
    /** `open`: it holds this commit. `ready`: it was a draft, and is none any more. */
    state: z.enum(['open', 'ready']),
    /** The forge's word for it. */
    noun: z.enum(['pull request', 'merge request']),
    number: z.number(),
    url: z.string(),
    remote: z.string(),
    /** The branch that it goes into. */
    target: z.string(),
    head: z.string(),
    /** Of a layer of a stack: its own branch. Absent: the run's. */
    branch: z.string().exactOptional(),
  }),
  z.object({
    type: z.literal('ci'),
    state: ciStateSchema,
    head: z.string(),
    /** Why, in words. */
    text: z.string(),
    /** Jobs that are not green, as their forge names them; `onBase`: red on the target branch too. */
    jobs: z.array(z.object({ name: z.string(), url: z.string(), onBase: z.boolean() })),
  }),
  z.object({
    /** A comment on the request. `ignored`: its author may not write there; it is shown, and not acted on. */
    type: z.literal('comment'),
    state: z.enum(['answered', 'ignored']),
    /** The forge's, and unique in its request. */
    id: z.string(),
    author: z.string(),
    text: z.string(),
    file: z.string().exactOptional(),
    line: z.number().exactOptional(),
    /** Empty if it is ignored. */
    answer: z.string(),
  }),
] as const;
