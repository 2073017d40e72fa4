import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { CompactSign, importJWK } from 'jose';
import { Agent, request } from 'undici';
import { readTarget } from '../dist/setup/read-files.js';
import { referenceTarget } from '../dist/setup/reference.js';
import { root, startUnlimited } from './ground.js';

const fresh = () => randomBytes(8).toString('hex');
const path = 'fixtures/reference/keys/main-conftestkey01.json';

/** The claims of suites/base-request.yaml, with the same members and lengths. */
function claimsOf({ clientId, issuer, now, receiver, sub, redirectUri }) {
  return {
    iss: clientId,
    sub: clientId,
    client_id: clientId,
    aud: issuer,
    iat: now,
    exp: now + 240,
    jti: fresh(),
    expires_in: 300,
    response_type: 'async_token',
    redirect_uri: redirectUri,
    notification_uri: `${receiver}/si/notify`,
    client_notification_token: `${fresh()}${fresh()}`,
    scope: 'openid name',
    state: `state-${fresh()}`,
    nonce: `nonce-${fresh()}`,
    login_hint: sub,
    context: `Approve-order-${fresh().slice(0, 12)}`,
    correlation_id: fresh(),
  };
}

async function post(ground, dispatcher) {
  const payload = Buffer.from(JSON.stringify(claimsOf(ground)));
  const jws = await new CompactSign(payload)
    .setProtectedHeader({ typ: 'JWT', alg: 'RS256', kid: ground.kid })
    .sign(ground.key);
  const { statusCode, body } = await request(ground.endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ request: jws }),
    dispatcher,
  });
  const answer = await body.json();
  if (statusCode !== 200 || typeof answer.auth_req_id !== 'string') {
    throw new Error(`the bare loop got HTTP ${statusCode} ${JSON.stringify(answer)}: the figures mean nothing`);
  }
  return payload.length;
}

async function groundOf(env) {
  const { clients, subscribers } = readTarget(referenceTarget, { ...process.env, ...env });
  const main = clients.find(({ name }) => name === 'main');
  const { body } = await request(
    `${env.REFERENCE_ORIGIN}/.well-known/openid_configuration?client_id=${main.clientId}&mccmnc=001010`,
  );
  const { issuer, server_initiated_endpoint: endpoint } = await body.json();
  const clock = await (await request(`${env.REFERENCE_ADMIN}/clock`)).body.json();
  const jwk = JSON.parse(readFileSync(`${root}/${path}`, 'utf8'));
  return {
    endpoint,
    issuer,
    now: Math.floor(clock.now / 1000),
    receiver: `http://127.0.0.1:${env.REFERENCE_RECEIVER_PORT}`,
    clientId: main.clientId,
    redirectUri: main.redirectUris[0],
    sub: subscribers[0].subs.main,
    kid: jwk.kid,
    key: await importJWK(jwk, 'RS256'),
  };
}

/** Measures the same exchanges without a runner: sign with jose, POST with undici, check status and auth_req_id. */
export async function runBare(count, concurrency) {
  const reference = await startUnlimited();
  const dispatcher = new Agent({ connections: concurrency, pipelining: 1 });
  try {
    const ground = await groundOf(reference.env);
    let left = count;
    let bytes = 0;
    const begun = performance.now();
    const worker = async () => {
      while (left > 0) {
        left -= 1;
        bytes = await post(ground, dispatcher);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
    return { seconds: (performance.now() - begun) / 1000, exchanges: count, bytes };
  } finally {
    await dispatcher.destroy();
    await reference.close();
  }
}
