# SPDX-License-Identifier: MIT
# A Godot 3 program, for zink: particles and blend shapes, which this engine computes by transform feedback, and a scene without.
#
# usage: godot3 --path tests/clients/godot --script scenes.gd --fixed-fps 60, with PGS_CLIENT_OUT in the environment: the folder
# that gets SCENE-0.ppm for each scene and counts.txt, with the names of the scenes. Prints what the driver is, after #, and for each
# scene the milliseconds of its first frame and of a later one.
extends SceneTree

const SIZE = 256
const FRAMES = 30
const SCENES = ["plain", "particles", "morphed"]

# Each particle has its own way, which depends on nothing but its number.
const MOVES = """
shader_type particles;
void vertex() {
	float turn = 0.7 * float(INDEX);
	if (RESTART) {
		TRANSFORM[3].xyz = vec3(0.0);
		VELOCITY = vec3(cos(turn), 2.0 + 0.01 * float(INDEX), sin(turn));
		COLOR = vec4(0.5 + 0.5 * cos(turn), 0.5 + 0.5 * sin(turn), 1.0 - 0.01 * float(INDEX), 1.0);
	}
	VELOCITY.y -= 4.0 * DELTA;
}
"""

var out = OS.get_environment("PGS_CLIENT_OUT")
var scene = -1
var frame = 0
var last_usec = 0
var first_usec = 0
var shortest_usec = 0
var shown = null


func colored():
	var material = SpatialMaterial.new()
	material.flags_unshaded = true
	material.vertex_color_use_as_albedo = true
	return material


func make_plain():
	var node = MeshInstance.new()
	node.mesh = SphereMesh.new()
	node.mesh.material = SpatialMaterial.new()
	node.mesh.material.flags_unshaded = true
	return node


func make_particles():
	var node = Particles.new()
	var moves = ShaderMaterial.new()
	moves.shader = Shader.new()
	moves.shader.code = MOVES
	node.process_material = moves
	node.draw_pass_1 = CubeMesh.new()
	node.draw_pass_1.size = Vector3(0.1, 0.1, 0.1)
	node.draw_pass_1.material = colored()
	node.amount = 80
	node.lifetime = 1.0
	return node


# A disk of triangles that one shape bends to a bowl and another one twists.
func make_morphed():
	var flat = PoolVector3Array()
	var bowl = PoolVector3Array()
	var twist = PoolVector3Array()
	var colors = PoolColorArray()
	for i in range(48):
		for corner in range(3):
			var angle = TAU * (i + (corner % 2)) / 48
			var far = 0.0 if corner == 2 else 1.2
			flat.push_back(Vector3(far * cos(angle), 0, far * sin(angle)))
			bowl.push_back(Vector3(far * cos(angle), far, far * sin(angle)))
			twist.push_back(Vector3(far * cos(2 * angle), 0.2 * i / 48, far * sin(2 * angle)))
			colors.push_back(Color(0.5 + 0.5 * cos(angle), i / 48.0, corner / 2.0))
	var arrays = []
	arrays.resize(ArrayMesh.ARRAY_MAX)
	arrays[ArrayMesh.ARRAY_VERTEX] = flat
	arrays[ArrayMesh.ARRAY_COLOR] = colors
	var mesh = ArrayMesh.new()
	mesh.blend_shape_mode = Mesh.BLEND_SHAPE_MODE_NORMALIZED
	var shapes = []
	for positions in [bowl, twist]:
		var shape = []
		shape.resize(ArrayMesh.ARRAY_MAX)
		shape[ArrayMesh.ARRAY_VERTEX] = positions
		shape[ArrayMesh.ARRAY_COLOR] = colors
		shapes.push_back(shape)
	mesh.add_blend_shape("bowl")
	mesh.add_blend_shape("twist")
	mesh.add_surface_from_arrays(Mesh.PRIMITIVE_TRIANGLES, arrays, shapes)
	var material = colored()
	material.params_cull_mode = SpatialMaterial.CULL_DISABLED
	mesh.surface_set_material(0, material)
	var node = MeshInstance.new()
	node.mesh = mesh
	node.set("blend_shapes/bowl", 0.5)
	node.set("blend_shapes/twist", 0.2)
	return node


func write_picture():
	var image = root.get_texture().get_data()
	image.flip_y()
	image.convert(Image.FORMAT_RGB8)
	var file = File.new()
	file.open("%s/%s-0.ppm" % [out, SCENES[scene]], File.WRITE)
	file.store_string("P6\n%d %d\n255\n" % [image.get_width(), image.get_height()])
	file.store_buffer(image.get_data())
	file.close()


func begin_scene():
	if shown:
		shown.free()
	scene += 1
	frame = 0
	shortest_usec = 1 << 60
	shown = call("make_" + SCENES[scene])
	root.add_child(shown)


func write_names():
	var counts = File.new()
	counts.open(out + "/counts.txt", File.WRITE)
	for name in SCENES:
		counts.store_line(name + ": drawn")
	counts.close()


func _initialize():
	var camera = Camera.new()
	root.add_child(camera)
	camera.look_at_from_position(Vector3(1, 2, 4), Vector3(0, 0.3, 0), Vector3.UP)
	var world = WorldEnvironment.new()
	world.environment = Environment.new()
	world.environment.background_mode = Environment.BG_COLOR
	root.add_child(world)
	print("# %s; %s" % [VisualServer.get_video_adapter_name(), VisualServer.get_video_adapter_vendor()])
	begin_scene()
	last_usec = OS.get_ticks_usec()


func _idle(_delta):
	var now_usec = OS.get_ticks_usec()
	frame += 1
	if frame == 2: # the first frame is drawn between the first two calls
		first_usec = now_usec - last_usec
	elif frame > 2:
		shortest_usec = min(shortest_usec, now_usec - last_usec)
	last_usec = now_usec
	if frame == FRAMES:
		write_picture()
		print("%s %.1f %.2f" % [SCENES[scene], first_usec / 1e3, shortest_usec / 1e3])
		if scene == SCENES.size() - 1:
			write_names()
			return true
		begin_scene()
		last_usec = OS.get_ticks_usec()
	return false
