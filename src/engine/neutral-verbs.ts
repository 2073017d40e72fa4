import type { Interface } from '../model/interface.ts';
import { defineAwait } from '../suite/verbs/await.ts';
import { defineHttp, defineRest } from '../suite/verbs/http.ts';
import { defineTrigger } from '../suite/verbs/trigger.ts';
import type { StepVerb } from './context/case-context.ts';
import { planAwait, planHttp, planTrigger } from './plan/planned-time.ts';
import { awaitDeliveries } from './act/await.ts';
import { http } from './act/http.ts';
import { rest } from './act/rest.ts';
import { trigger } from './act/trigger.ts';
import { defineStepVerb } from './act/verb.ts';

export const neutralVerbs = ({
  actions,
  endpoints,
  eventKinds,
}: Pick<Interface, 'actions' | 'endpoints' | 'eventKinds'>): readonly StepVerb[] => [
  defineStepVerb(defineTrigger(actions), { run: trigger, plan: planTrigger }),
  defineStepVerb(defineRest(actions), { run: rest }),
  defineStepVerb(defineAwait(Object.keys(eventKinds)), { run: awaitDeliveries, plan: planAwait }),
  defineStepVerb(defineHttp(endpoints), { run: http, plan: planHttp }),
];
