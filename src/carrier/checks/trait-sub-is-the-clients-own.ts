import { reader } from '../pipeline/context.ts';
import { stringMember } from '../json.ts';
import { refuse } from '../refusal.ts';
import type { ProofContext, TraitSubscriber } from '../pipeline/usertrait-context.ts';

/** §2.8: the sub of this SP; for any other the answer is the same, whoever it names. */
export const traitSubIsTheClientsOwn = reader(
  'trait-sub-is-the-clients-own',
  (context: ProofContext): TraitSubscriber => {
    const found = context.accounts.findSub(stringMember(context.body, 'sub') ?? '');
    if (found?.clientName !== context.client.name) refuse('invalid_request', 'sub names no subscriber of the client');
    return { ...context, subscriber: found.subscriber };
  },
);
