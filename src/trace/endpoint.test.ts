import { expect, test } from 'vitest';
import { fromEnvironment, fromFlag } from './endpoint.ts';

const all = 'OTEL_EXPORTER_OTLP_ENDPOINT';
const own = 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT';

test.each([
  [{ [all]: 'http://collector.test:4318' }, 'http://collector.test:4318/v1/traces'],
  [{ [all]: 'https://collector.test/otlp/' }, 'https://collector.test/otlp/v1/traces'],
  [{ [own]: 'https://collector.test/in' }, 'https://collector.test/in'],
  [{ [all]: 'http://a.test', [own]: ' http://b.test/x ' }, 'http://b.test/x'],
  [{ [all]: 'http://a.test', OTEL_TRACES_EXPORTER: 'console,otlp' }, 'http://a.test/v1/traces'],
  [{ [all]: 'http://a.test', OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' }, 'http://a.test/v1/traces'],
  [
    {
      [all]: 'http://a.test',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
    },
    'http://a.test/v1/traces',
  ],
])('%o', (env, url) => {
  const destination = fromEnvironment(env);
  expect(destination === 'off' || 'wrong' in destination ? destination : destination.url.href).toBe(url);
});

test.each([
  [{}],
  [{ [all]: ' ' }],
  [{ [all]: 'http://a.test', OTEL_SDK_DISABLED: 'TRUE' }],
  [{ [all]: 'http://a.test', OTEL_TRACES_EXPORTER: 'none' }],
])('no traces: %o', (env) => expect(fromEnvironment(env)).toBe('off'));

test.each([
  [{ [all]: 'collector.test:4318' }, `${all} is no http or https URL`],
  [{ [own]: '/v1/traces', [all]: 'http://a.test' }, `${own} is no http or https URL`],
  [
    { [all]: 'http://a.test:4317', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    'OTEL_EXPORTER_OTLP_PROTOCOL is grpc, and traces are sent by http: name the port for http, as a rule 4318, with http/json',
  ],
])('what is wrong with %o', (env, wrong) => expect(fromEnvironment(env)).toEqual({ wrong }));

test('the flag names a collector as a whole, or what takes traces there', () => {
  expect(
    ['http://a.test:4318', 'http://a.test/', 'http://a.test/in', 'http://a.test/?key=1'].map(
      (given) => fromFlag(new URL(given)).href,
    ),
  ).toEqual(['http://a.test:4318/v1/traces', 'http://a.test/v1/traces', 'http://a.test/in', 'http://a.test/?key=1']);
});
