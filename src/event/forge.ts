// Facts about a run's pull or merge request, and what CI and people say about it.
import { z } from 'zod';

/** `fixing`: a session is given what is red; the others are ends. */
export const ciStateSchema = z.enum(['fixing', 'green', 'flaky', 'red', 'none', 'gave-up']);

export const forgeFacts = [
  z.object({
    type: z.literal('request'),
    /** `open`: it holds this commit. `ready`: a draft no longer. */
    state: z.enum(['open', 'ready']),
    noun: z.enum(['pull request', 'merge request']),
    number: z.number(),
    url: z.string(),
    remote: z.string(),
    target: z.string(),
    head: z.string(),
    /** Somebody else has pushed it. */
    foreign: z.literal(true).exactOptional(),
    /** The run's, or a layer of its stack. */
    branch: z.string(),
  }),
  z.object({
    type: z.literal('ci'),
    state: ciStateSchema,
    head: z.string(),
    /** Why. */
    text: z.string(),
    /** Jobs not green; `onBase`: red on the target branch too. `branch`: as in `request`. */
    jobs: z.array(z.object({ name: z.string(), url: z.string(), onBase: z.boolean(), branch: z.string() })),
  }),
  z.object({
    /** Commits have other ids, with the same files at the end: a fix is in its layer of the stack, or a person rebased. */
    type: z.literal('commits-moved'),
    /** HEAD. */
    head: z.string(),
    /** `task`: also of a fix. */
    moved: z.array(z.object({ task: z.string(), from: z.string(), to: z.string() })),
  }),
  z.object({
    type: z.literal('comment'),
    /** `ignored`: its author may not write there; it is not acted on. */
    state: z.enum(['answered', 'ignored']),
    author: z.string(),
    text: z.string(),
    file: z.string().exactOptional(),
    line: z.number().exactOptional(),
    /** Empty if ignored. */
    answer: z.string(),
  }),
] as const;
