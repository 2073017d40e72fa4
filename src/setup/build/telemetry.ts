import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'rolldown';
import { textMemberOf } from '../../lib/json.ts';

const packagesHere = createRequire(import.meta.url);

/** Packages whose `main` is CommonJS; the exports of the others say what is a module. */
const asCommonJs =
  /^@opentelemetry\/(?:core|exporter-trace-otlp-http|otlp-transformer|resources|sdk-trace|sdk-trace-base)$/;

/** OpenTelemetry as modules, of which what is used comes: its CommonJS would come whole, and be five times as large. */
export const telemetryModules: Plugin = {
  name: 'telemetry-modules',
  resolveId: (id) => {
    if (!asCommonJs.test(id)) return undefined;
    const manifest = packagesHere.resolve(`${id}/package.json`);
    const module = textMemberOf(packagesHere(manifest), 'module');
    return module === undefined ? undefined : join(dirname(manifest), module);
  },
};
