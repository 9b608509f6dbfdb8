// What people say about a pull request on GitHub, by gh: comments, reviews, and answers.
import { z } from 'zod';
import { type AnyComment, type Forge, listUnanswered, markAnswer } from './forge.ts';
import { type ForgeApi, unlessUnknown } from './program.ts';

export function commentsOfGitHub(api: ForgeApi): Pick<Forge, 'comments' | 'answer'> {
  const { json, pages } = api;
  return {
    comments: async (number) => {
      const lists = {
        pulls: `/pulls/${number}/comments`,
        reviews: `/pulls/${number}/reviews`,
        issues: `/issues/${number}/comments`,
      };
      const comments: AnyComment<string>[] = [];
      for (const [kind, path] of Object.entries(lists))
        for (const comment of await pages(path, commentSchema.array())) {
          const { id, in_reply_to_id: thread = id, user, body, created_at, submitted_at } = comment;
          const at = created_at ?? submitted_at;
          // A review that is not sent yet has no time.
          if (!user || at === undefined) continue;
          comments.push({
            id: `${kind}-${thread}-${id}`,
            at,
            text: body ?? '',
            author: user.login,
            key: user.login,
            isBot: user.type === 'Bot',
            ...(comment.path === undefined ? {} : { file: comment.path, line: comment.line ?? 0 }),
          });
        }
      return listUnanswered(comments, (login) => hasWriteAccess(api, login));
    },
    answer: async (number, comment, { text, resolve }) => {
      const [kind, thread] = comment.id.split('-');
      const isOfLine = kind === 'pulls';
      const path = isOfLine ? `/pulls/${number}/comments/${thread}/replies` : `/issues/${number}/comments`;
      // First: after a kill in between, the comment has no answer yet, and both are done again.
      if (resolve && isOfLine) await resolveThread(api, number, Number(thread));
      const body = { body: markAnswer(comment, isOfLine ? text : `@${comment.author} ${text}`) };
      await json({ method: 'POST', does: 'answer', path, body });
    },
  };
}

/** REST cannot do it. `first`: the thread's first comment. */
async function resolveThread({ json }: ForgeApi, number: number, first: number): Promise<void> {
  const ask = (does: string | undefined, query: string, variables: Readonly<Record<string, unknown>>) => {
    const change = does === undefined ? {} : { does };
    const body = { query, variables };
    return json({ method: 'POST', ...change, path: 'graphql', body, elsewhere: true });
  };
  const { full_name: name } = z.object({ full_name: z.string() }).parse(await json({ path: '' }));
  const [owner, repo] = name.split('/');
  const threads = threadsSchema.parse(await ask(undefined, threadsQuery, { owner, repo, number }));
  const { nodes } = threads.data.repository.pullRequest.reviewThreads;
  const id = nodes.find(({ comments }) => comments.nodes[0]?.databaseId === first)?.id;
  if (id !== undefined) await ask('resolve', resolveMutation, { id });
}

const threadsQuery =
  'query($owner: String!, $repo: String!, $number: Int!) { repository(owner: $owner, name: $repo) { pullRequest(number: $number) { reviewThreads(last: 100) { nodes { id comments(first: 1) { nodes { databaseId } } } } } } }';

const resolveMutation =
  'mutation($id: ID!) { resolveReviewThread(input: {threadId: $id}) { clientMutationId } }';

const threadsSchema = z.object({
  data: z.object({
    repository: z.object({
      pullRequest: z.object({
        reviewThreads: z.object({
          nodes: z.array(
            z.object({
              id: z.string(),
              comments: z.object({ nodes: z.array(z.object({ databaseId: z.number() })) }),
            }),
          ),
        }),
      }),
    }),
  }),
});

const commentSchema = z.object({
  id: z.number(),
  in_reply_to_id: z.number().optional(),
  body: z.string().nullish(),
  created_at: z.string().optional(),
  submitted_at: z.string().optional(),
  user: z.object({ login: z.string(), type: z.string().optional() }).nullish(),
  path: z.string().optional(),
  line: z.number().nullish(),
});

async function hasWriteAccess({ json }: ForgeApi, login: string): Promise<boolean> {
  const path = `/collaborators/${encodeURIComponent(login)}/permission`;
  const answer = await json({ path }).catch(unlessUnknown);
  const { permission } = z.object({ permission: z.string() }).safeParse(answer).data ?? {};
  return permission === 'admin' || permission === 'write';
}
