import packageJson from '../../../package.json' with { type: 'json' };
import { answerAgent } from '../../mcp/http.ts';
import type { AgentDoor } from '../../runtime/loop/agents.ts';

/** Answers an agent that asks the operator. */
export const answerOfOperator: AgentDoor = (
  { view, now, watchingSince, clusterName, coverage, audience, past },
  call,
) =>
  answerAgent(
    packageJson.version,
    {
      ...{ view, now, coverage, past, unseen: [], limits: [], watchedMs: now - watchingSince },
      looked: { is: 'cluster', name: clusterName },
      ...(audience !== undefined && { audience }),
    },
    call,
  );
