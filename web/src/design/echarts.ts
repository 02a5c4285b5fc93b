/** The parts of Apache ECharts that charts use; loaded with the first chart. */
import { BarChart, LineChart } from "echarts/charts";
import { AriaComponent, GridComponent, LegendComponent, MarkLineComponent, TooltipComponent } from "echarts/components";
import * as echarts from "echarts/core";
import { CanvasRenderer, SVGRenderer } from "echarts/renderers";

echarts.use([
  BarChart,
  LineChart,
  AriaComponent,
  GridComponent,
  LegendComponent,
  MarkLineComponent,
  TooltipComponent,
  CanvasRenderer,
  SVGRenderer,
]);

export type Drawing = ReturnType<typeof echarts.init>;

/** Create a chart on a canvas; rendered SVG has style attributes, which the content security policy forbids. */
export function createChart(place: HTMLElement): Drawing {
  return echarts.init(place, null, { renderer: "canvas" });
}

/** Return a chart as the text of an SVG file. */
export function svgOf(option: Record<string, unknown>, width: number, height: number): string {
  const drawing = echarts.init(null, null, { renderer: "svg", ssr: true, width, height });
  drawing.setOption(option);
  const text = drawing.renderToSVGString();
  drawing.dispose();
  return text;
}
