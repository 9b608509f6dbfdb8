// What pawl sends to one running agent: messages, questions and interrupts. It waits for no answer.
import type { Spawned } from '../../process/spawn.ts';
import type { Agent, AgentCommand, AgentMessage } from '../agent.ts';

/** Speaks to one process in its agent's own words. */
export class AgentInput {
  readonly #agent: Agent;
  readonly #spawned: Spawned;
  #heard = Promise.withResolvers<void>();
  /** It takes further messages, and answers questions. */
  readonly isConversation: boolean;

  constructor(agent: Agent, spawned: Spawned, command: AgentCommand) {
    this.#agent = agent;
    this.#spawned = spawned;
    this.isConversation = command.input === 'conversation';
  }

  /** Settles once the agent has begun on the last text it was told, or never will: a message sent before that could be read first. */
  get heard(): Promise<void> {
    return this.#heard.promise;
  }

  /** The agent began on the last text, or the turn is over. */
  settle(): void {
    this.#heard.resolve();
  }

  /** Says it; false when the agent has no words for it or does not take it. */
  async say(message: AgentMessage): Promise<boolean> {
    if ('text' in message) this.#heard = Promise.withResolvers();
    const line = this.#agent.write(message);
    return line !== undefined && this.#spawned.send(line);
  }

  /** Asks what it has cost, if it can be asked. */
  ask(id: string | undefined): void {
    if (id !== undefined && this.canAsk) void this.say({ type: 'cost', id });
  }

  /** It answers questions for its cost. */
  get canAsk(): boolean {
    return this.isConversation && this.#agent.can.cost;
  }

  /** The line that stops its work, from an agent that takes one. */
  get interruption(): string | undefined {
    return this.isConversation ? this.#agent.write({ type: 'interrupt', id: 'pawl-interrupt' }) : undefined;
  }
}
