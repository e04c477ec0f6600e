// Only here to give the precompiled header a target; see RooflinePCH.cmake.
