import { expect, test } from 'vitest';
import { commonNames, requireKnownPath } from './names.ts';

test.each([
  ['target.latency', undefined],
  ['target.latency.callback', undefined],
  ['target.latency.calback', 'latency has no "calback"'],
  ['target.latencies', 'target has no "latencies"'],
  ['target.endpoints.anything', undefined],
  ['client.flags.anything', undefined],
])('%s', (path, mistake) => {
  const check = (): void => requireKnownPath(path.split('.'), commonNames, 0);
  if (mistake === undefined) expect(check).not.toThrow();
  else expect(check).toThrow(mistake);
});
