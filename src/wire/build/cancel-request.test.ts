import { describe, expect, test } from 'vitest';
import type { HttpAct } from '../../model/suite.ts';
import type { CancelCall } from '../../model/target.ts';
import { buildScope, buildTemplates } from '../../testing/parts/templates.ts';
import { cancelRequest, fillPlaceholders } from './cancel-request.ts';

const endpoint = 'https://op.carrier.test/cancel';
const scope = buildScope({ client: { client_id: 'ccid-1' } });
const given = { auth_req_id: 'ccid-0000000001', client_assertion: 'h.p.s' };
const call = (parts: Partial<CancelCall> = {}): CancelCall => ({
  method: 'POST',
  as: 'form',
  member: 'auth_req_id',
  env: { TOKEN: 'hush-hush' },
  ...parts,
});
const send = (parts: Partial<CancelCall> | undefined, act: Partial<HttpAct> = {}, url = endpoint) =>
  cancelRequest(
    url,
    { to: 'cancel', method: 'POST', parameters: buildTemplates(given), ...act },
    { call: parts === undefined ? undefined : call(parts), scope, id: 'auth_req_id' },
  );
const formType = ['content-type', 'application/x-www-form-urlencoded'];

describe('a cancellation', () => {
  test('as JSON, under another name', () => {
    expect(send({ method: 'PUT', as: 'json', member: 'requestId' })).toEqual({
      method: 'PUT',
      url: endpoint,
      headers: [['content-type', 'application/json']],
      body: '{"requestId":"ccid-0000000001","client_assertion":"h.p.s"}',
    });
  });

  test('in the query, beside what the URL has', () => {
    expect(send({ method: 'DELETE', as: 'query' }, {}, `${endpoint}?v=2`)).toEqual({
      method: 'DELETE',
      url: `${endpoint}?v=2&auth_req_id=ccid-0000000001&client_assertion=h.p.s`,
      headers: [],
    });
  });

  test('the id in the URL is not in the payload as well, and is one segment with any characters', () => {
    const url = 'https://op.carrier.test/requests/{auth_req_id}/cancel';
    expect(send({}, {}, url)).toMatchObject({
      url: 'https://op.carrier.test/requests/ccid-0000000001/cancel',
      body: 'client_assertion=h.p.s',
    });
    const hostile = { parameters: buildTemplates({ auth_req_id: '../../admin?x=1#' }) };
    expect(send({}, hostile, url)).toMatchObject({
      url: 'https://op.carrier.test/requests/..%2F..%2Fadmin%3Fx%3D1%23/cancel',
      body: '',
    });
    expect(fillPlaceholders(url, new Map())).toBe('https://op.carrier.test/requests//cancel');
  });

  test('parameters of the target: added, replaced, taken out by null; one whose value is not there changes nothing', () => {
    const parameters = buildTemplates(
      { client_id: '{{ client.client_id }}', client_assertion: null, copy: '{{ with.auth_req_id }}', x: '{{ env.X }}' },
      ['client', 'with', 'env'],
    );
    expect(send({ parameters }).body).toBe('auth_req_id=ccid-0000000001&client_id=ccid-1&copy=ccid-0000000001');
  });

  test('headers of the target; those of the step win', () => {
    const headers = buildTemplates({ authorization: 'Bearer {{ env.TOKEN }}', 'x-a': '1', 'x-b': '{{ env.B }}' }, [
      'env',
    ]);
    expect(send({ headers }, { headers: buildTemplates({ 'X-A': '2' }) }).headers).toEqual([
      formType,
      ['authorization', 'Bearer hush-hush'],
      ['X-A', '2'],
    ]);
  });
});
