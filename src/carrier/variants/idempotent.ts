import { all } from '../faults/edit/define.ts';
import type { Edit } from '../faults/edit/define.ts';
import { withBuilders } from '../faults/edit/parts.ts';
import { stringMember } from '../json.ts';
import { dropping } from './requests.ts';

/** A repetition gets its 200 with the auth_req_id of the first request, and nothing happens. */
export const idempotent: Edit = (definition) => {
  const first = new Map<string, string>();
  const ids = new Map<string, string>();
  let jti: string | undefined;
  return all(
    dropping('jti-not-repeated'),
    withBuilders(({ claims, authReqId, response }) => ({
      claims: (context) => {
        const id = stringMember(context.claims, 'jti');
        jti = id === undefined ? undefined : JSON.stringify([context.client.clientId, id, context.jws.payloadText]);
        return claims(context);
      },
      authReqId: (wanted) => {
        const id = authReqId(wanted);
        const known = jti === undefined ? undefined : first.get(jti);
        if (jti !== undefined && known === undefined) first.set(jti, id);
        if (known !== undefined) ids.set(id, known);
        return id;
      },
      response: (request, policy) => {
        const built = response(request, policy);
        const known = ids.get(request.id);
        return known === undefined ? built : { ...built, body: { ...built.body, auth_req_id: known } };
      },
    })),
  )(definition);
};
