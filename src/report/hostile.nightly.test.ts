import { hostileTexts } from '../testing/carriers/hostile.ts';
import { hostileMarkup, withEveryMessage } from '../testing/carriers/hostile-carrier.ts';
import { testHostileTexts } from '../testing/results/report-shapes.ts';
import { shippedSample } from '../testing/results/shipped-sample.ts';

// Each report takes long, so all short texts come at once and the long one is shorter.
const { 'a very long text': long = '', ...short } = { ...hostileTexts, ...hostileMarkup };
testHostileTexts(withEveryMessage(shippedSample), {
  'a long text': long.slice(0, 5000),
  'all others at once': Object.values(short).join(' '),
});
