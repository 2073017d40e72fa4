import type { Interface } from '../model/interface.ts';
import { defineAwait } from '../suite/verbs/await.ts';
import { defineHttp, defineRest } from '../suite/verbs/http.ts';
import { defineTrigger } from '../suite/verbs/trigger.ts';
import type { StepVerb } from './context/case-context.ts';
import { planAwait, planHttp, planTrigger } from './plan/planned-time.ts';
import { awaitDeliveries } from './act/await.ts';
import { runHttp } from './act/http.ts';
import { runRest } from './act/rest.ts';
import { runTrigger } from './act/trigger.ts';
import { defineStepVerb } from './act/verb.ts';

export const neutralVerbs = ({
  actions,
  endpoints,
  eventKinds,
}: Pick<Interface, 'actions' | 'endpoints' | 'eventKinds'>): readonly StepVerb[] => [
  defineStepVerb(defineTrigger(actions), { run: runTrigger, plan: planTrigger }),
  defineStepVerb(defineRest(actions), { run: runRest }),
  defineStepVerb(defineAwait(Object.keys(eventKinds)), { run: awaitDeliveries, plan: planAwait }),
  defineStepVerb(defineHttp(endpoints), { run: runHttp, plan: planHttp }),
];
