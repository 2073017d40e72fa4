// Rules for dependency-cruiser, made from layers.js. Run them with `npm run layers`.
import { carrierFiles, engine, imports, labDoors, layers } from './layers.js';

const path = (name) => `^src/${name}/`;
const tests = '\\.test\\.ts$|/testing/';
const order = layers.map(({ name }) => name);
/** Alternatives of a pattern; an empty list matches nothing. */
const any = (names) => (names.length === 0 ? '(?!)' : names.join('|'));

const shipped = layers.flatMap((layer) => [
  {
    name: `${layer.name}-imports-down`,
    severity: 'error',
    comment: layer.because,
    from: {
      path: path(layer.name),
      pathNot: layer.name === 'cli' ? `${tests}|^src/(${carrierFiles.join('|')})` : tests,
    },
    to: { path: '^src/', pathNot: `^src/(${['lab', ...imports(layer)].join('|')})/` },
  },
  {
    name: `${layer.name}-packages`,
    severity: 'error',
    comment: `${layer.name} uses these npm packages: ${layer.packages.join(', ') || 'none'}`,
    from: { path: path(layer.name), pathNot: tests },
    to: { path: 'node_modules', pathNot: `node_modules/(${any(layer.packages)})/` },
  },
]);

const tested = order
  .filter((name) => name !== 'carrier' && name !== 'cli')
  .map((name) => ({
    name: `tests-of-${name}-import-down`,
    severity: 'error',
    comment: 'a test drives the real thing: any layer below its own, and the reference carrier with its faults',
    from: { path: `${path(name)}.*\\.test\\.ts$` },
    to: { path: `^src/(${any(order.slice(1, order.indexOf(name)))})/` },
  }));

const folders = engine.map(([name]) => name);
const inEngine = engine.slice(2).map(([name, because]) => {
  const above = folders.slice(0, folders.indexOf(name)).join('|');
  return {
    name: `engine-${name}-calls-down`,
    severity: 'error',
    comment: because,
    from: { path: `^src/engine/${name}/`, pathNot: tests },
    to: { path: `^src/engine/((${above})/|[^/]+$)`, dependencyTypesNot: ['type-only'] },
  };
});

export default {
  forbidden: [
    ...shipped,
    ...tested,
    ...inEngine,
    {
      name: 'lab-is-above',
      severity: 'error',
      comment: 'certifying a carrier needs none of the laboratory, so nothing loads it with the product',
      from: { path: '^src/', pathNot: `${tests}|^src/lab/` },
      to: { path: path('lab'), dependencyTypesNot: ['dynamic-import'] },
    },
    {
      name: 'lab-has-doors',
      severity: 'error',
      comment: 'the commands that the laboratory has, and faults by name',
      from: { path: '^src/', pathNot: `${tests}|^src/(lab/|(${labDoors.join('|')})$)` },
      to: { path: path('lab') },
    },
    {
      name: 'no-circle',
      severity: 'error',
      comment: 'no file of a circle can be understood before the others; type and dynamic imports count too',
      from: { path: '^src/' },
      to: { circular: true },
    },
    {
      name: 'testing-does-not-ship',
      severity: 'error',
      comment: 'samples for tests are not part of the product',
      from: { path: '^src/', pathNot: tests },
      to: { path: '/testing/' },
    },
    {
      name: 'resolvable',
      severity: 'error',
      comment: 'an import that names no file fails only at run time',
      from: { path: '^src/' },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    // A package may have "exports" but no "main".
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
    progress: { type: 'none' },
  },
};
