#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A VTK program, for zink: draws what VTK does with geometry shaders, and a scene without.

usage: vtk_scenes.py OUT
  OUT  gets SCENE-0.ppm for each scene and counts.txt, with the names of the scenes
Prints what the driver is, after #, and for each scene the milliseconds of its first frame and of a later one.
"""

import sys
import time

import vtkmodules.vtkRenderingOpenGL2  # noqa: F401, makes the classes of OpenGL known
from vtkmodules.vtkFiltersSources import vtkPointSource, vtkSphereSource
from vtkmodules.vtkRenderingCore import (vtkActor, vtkPointGaussianMapper, vtkPolyDataMapper, vtkRenderer, vtkRenderWindow,
                                         vtkWindowToImageFilter)

SIZE = 256
FRAMES = 5


def sphere():
    source = vtkSphereSource()
    source.SetThetaResolution(16)
    source.SetPhiResolution(12)
    return source


def mapped(mapper, source):
    actor = vtkActor()
    mapper.SetInputConnection(source.GetOutputPort())
    actor.SetMapper(mapper)
    actor.GetProperty().SetColor(0.9, 0.6, 0.2)
    return actor


def plain():
    return mapped(vtkPolyDataMapper(), sphere())


def edges():
    actor = plain()
    actor.GetProperty().EdgeVisibilityOn()
    actor.GetProperty().SetLineWidth(3)
    return actor


def tubes():
    actor = plain()
    actor.GetProperty().SetRepresentationToWireframe()
    actor.GetProperty().RenderLinesAsTubesOn()
    actor.GetProperty().SetLineWidth(5)
    return actor


def wide():
    actor = plain()
    actor.GetProperty().SetRepresentationToWireframe()
    actor.GetProperty().SetLineWidth(4)
    return actor


def spheres():
    actor = plain()
    actor.GetProperty().SetRepresentationToPoints()
    actor.GetProperty().RenderPointsAsSpheresOn()
    actor.GetProperty().SetPointSize(9)
    return actor


def gaussians():
    source, mapper = vtkPointSource(), vtkPointGaussianMapper()
    source.SetNumberOfPoints(200)
    mapper.SetScaleFactor(0.05)
    return mapped(mapper, source)


def picture_of(window):
    grab = vtkWindowToImageFilter()
    grab.SetInput(window)
    grab.ReadFrontBufferOff()
    grab.Update()
    image = grab.GetOutput()
    pixels, row_B = bytes(memoryview(image.GetPointData().GetScalars())), SIZE * image.GetNumberOfScalarComponents()
    rows = [pixels[y * row_B:(y + 1) * row_B] for y in reversed(range(SIZE))]
    step = image.GetNumberOfScalarComponents()
    return b''.join(row[x:x + 3] for row in rows for x in range(0, row_B, step))


def main(out):
    names = []
    for make in (plain, edges, tubes, wide, spheres, gaussians):
        start = time.monotonic()
        window, renderer = vtkRenderWindow(), vtkRenderer()
        window.SetOffScreenRendering(1)
        window.SetMultiSamples(0)
        window.SetSize(SIZE, SIZE)
        window.AddRenderer(renderer)
        renderer.AddActor(make())
        window.Render()
        picture_of(window)
        first_s, frame_s = time.monotonic() - start, 1e9
        if not names:
            facts = dict(line.split(':', 1) for line in window.ReportCapabilities().splitlines() if ':' in line)
            print(f"# {facts.get('OpenGL renderer string')}; {facts.get('OpenGL version string')}")
        for _ in range(FRAMES):
            start = time.monotonic()
            window.Render()
            pixels = picture_of(window)
            frame_s = min(frame_s, time.monotonic() - start)
        names.append(make.__name__)
        with open(f'{out}/{make.__name__}-0.ppm', 'wb') as file:
            file.write(b'P6\n%d %d\n255\n' % (SIZE, SIZE) + pixels)
        print(f'{make.__name__} {1e3 * first_s:.1f} {1e3 * frame_s:.2f}', flush=True)
    with open(f'{out}/counts.txt', 'w', encoding='utf-8') as counts:
        counts.writelines(f'{name}: drawn\n' for name in names)


if __name__ == '__main__':
    main(sys.argv[1])
