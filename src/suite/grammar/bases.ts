import { object } from './grammar.ts';
import { values } from './shared.ts';

/** `base-request.yaml` and `base-client-assertion.yaml`. */
export const baseRequestFile = object(
  {
    header: values('Members of the JWT header.', { minProperties: 1 }),
    claims: values('Claims.', { minProperties: 1 }),
  },
  {
    title: 'the base request',
    description: 'The request object that `authorize: {}` sends, in the order its members are sent.',
    required: ['header', 'claims'],
  },
);

/** `base-usertrait.yaml`. */
export const baseMembersFile = object(
  { members: values('Members of the JSON body.', { minProperties: 1 }) },
  { title: 'the base members', description: 'The body that `usertrait: {}` sends.', required: ['members'] },
);
