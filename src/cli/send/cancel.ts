import { literal } from '../../suite/compile/suite.ts';
import { signedByAssertion, withoutDropped } from './assertion.ts';
import {
  type AtHand,
  compileAsked,
  given,
  type Inquiry,
  parsePairs,
  requireParties,
  type SendFlags,
} from './inquiry.ts';

/** A cancellation (§4.4) as the target describes it. */
export function chooseCancellation(flags: SendFlags, { target, dry }: AtHand): Inquiry {
  const { authReqId: id, client, subscriber } = flags;
  requireParties(flags, target);
  const opened = dry ? 'AUTH_REQ_ID' : '{{ request.body.auth_req_id }}';
  const parameters = {
    auth_req_id: id === undefined ? opened : literal(id),
    ...signedByAssertion,
    ...parsePairs('--param', flags.param),
  };
  const steps = [
    ...(id !== undefined || dry ? [] : [{ as: 'request', authorize: {}, expect: 'accepted', control: true }]),
    { as: 'assertion', sign: { base: 'client-assertion' } },
    {
      as: 'cancellation',
      http: {
        to: 'cancel',
        parameters: withoutDropped(parameters, flags.drop),
        ...given({ headers: parsePairs('--http-header', flags.httpHeader) }),
      },
      expect: 'answered',
    },
  ];
  const asked = compileAsked({ id: 'cancel', title: 'A cancellation', client, subscriber, steps });
  return {
    case: { ...asked, requires: [...asked.requires, 'cancel'] },
    cancels: true,
    step: 'cancellation',
    mayBeRefused: true,
    ...(dry && id === undefined ? { open: 'AUTH_REQ_ID stands for the id of a request that is sent before' } : {}),
  };
}
