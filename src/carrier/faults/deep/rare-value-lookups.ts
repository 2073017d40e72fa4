import { traitCorrelationIdPattern } from '../../checks/usertrait.ts';
import { stringMember } from '../../json.ts';
import type { KeyContext } from '../../pipeline/context.ts';
import { reader } from '../../pipeline/step.ts';
import { refuse } from '../../refusal.ts';
import type { Edit } from '../edit/define.ts';
import { replaceCheck, withPipeline, withTraitSteps } from '../edit/parts.ts';
import { type DeepFault, defineDeep } from './define.ts';

/** Users, SIMs and carriers that are found by another value than theirs. */
export const rareLookupFaults: readonly DeepFault[] = defineDeep('rare value', {
  'login-hint-as-a-pattern': [
    'The database compares subs with LIKE, so a percent sign in login_hint stands for any characters.',
    'FLOW-004',
    subReadAsAPattern(),
  ],
  'trait-empty-correlation-id-refused': [
    'An empty correlation_id of a SIM query is false where the carrier asks whether it is a text.',
    'UT-012',
    withTraitSteps(({ onClaims }) => ({
      onClaims: replaceCheck(onClaims, traitCorrelationIdPattern.name, (context, strict) => {
        if (context.body['correlation_id'] === '') refuse('invalid_request', 'correlation_id must be a text');
        strict.run(context);
      }),
    })),
  ],
});

const hintOf = ({ claims }: KeyContext): string => stringMember(claims, 'login_hint') ?? '';

function subReadAsAPattern(): Edit {
  return withPipeline(({ readSubscriber }) => ({
    readSubscriber: reader(readSubscriber.name, (context: KeyContext) => {
      const [start = '', end, ...more] = hintOf(context).split('%');
      if (end === undefined || more.length > 0) return readSubscriber.read(context);
      const found = [...context.accounts.subscribers.values()].find(({ subs }) => {
        const sub = subs.get(context.client.name) ?? '';
        return sub.startsWith(start) && sub.endsWith(end);
      });
      return found === undefined ? readSubscriber.read(context) : { ...context, subscriber: found };
    }),
  }));
}
